import type { CounterSet, Device, DeviceNodeSelector, ResourceSlice } from '@karpenter/core/internal';
import { matchesAnyTerm } from '../cluster/selectors/node-selector.ts';
import type { SelectableNode } from '../cluster/selectors/node-selector.ts';
import type { ReachableDevice } from './device-search.ts';
import { nanosOfQuantity } from './selects-device.ts';

/** What a machine reaches, and whether all of its pools are published. */
export interface ReachedDevices {
  readonly devices: readonly ReachableDevice[];
  readonly isWhole: boolean;
}

interface Place {
  readonly nodeName?: string;
  readonly nodeSelector?: DeviceNodeSelector;
  readonly allNodes?: boolean;
}

const isThere = ({ nodeName = '', nodeSelector, allNodes }: Place, node: SelectableNode): boolean =>
  allNodes === true ||
  (nodeName === '' ? nodeSelector !== undefined && matchesAnyTerm(nodeSelector.nodeSelectorTerms, node) : nodeName === node.name);

/** Counter set and counter → nanos. */
export const poolCounters = (sets: readonly CounterSet[]): ReadonlyMap<string, bigint> =>
  new Map(
    sets.flatMap(({ name, counters }) =>
      Object.entries(counters).map(([counter, { value }]) => [`${name} ${counter}`, nanosOfQuantity(value)] as const),
    ),
  );

const needsUnknownCounter = ({ consumesCounters = [] }: Device, counters: ReadonlyMap<string, bigint>): boolean =>
  consumesCounters.some(({ counterSet, counters: own }) => Object.keys(own).some((counter) => !counters.has(`${counterSet} ${counter}`)));

/** Whether a pool contradicts itself: it then has no devices. */
export const isBrokenPool = (devices: readonly Device[], sets: readonly CounterSet[]): boolean =>
  new Set(devices.map(({ name }) => name)).size < devices.length ||
  new Set(sets.map(({ name }) => name)).size < sets.length ||
  devices.some((device) => needsUnknownCounter(device, poolCounters(sets)));

/** The pool of some slices of one generation, as the node sees it; undefined where nothing of it is there. */
const reachedPool = (slices: readonly ResourceSlice[], node: SelectableNode): ReachedDevices | undefined => {
  const [first] = slices;
  const placed = slices.flatMap(({ spec }) =>
    (spec.devices ?? []).map((device) => {
      const place = spec.perDeviceNodeSelection === true ? device : spec;
      return { device, place, isHere: isThere(place, node) };
    }),
  );
  const here = placed.filter(({ isHere }) => isHere);
  if (first === undefined) return undefined;
  const { driver, pool } = first.spec;
  const sets = slices.flatMap(({ spec }) => spec.sharedCounters ?? []);
  const isWhole = slices.length === (pool.resourceSliceCount ?? 1);
  // Slices with counters are read on every node.
  if (here.length === 0) return isWhole || sets.length === 0 ? undefined : { devices: [], isWhole };
  if (
    !isWhole ||
    isBrokenPool(
      placed.map(({ device }) => device),
      sets,
    )
  )
    return { devices: [], isWhole: false };
  const poolId = `${driver}/${pool.name}`;
  const counters = poolCounters(sets);
  const devices = here.map(({ device, place }) => ({
    id: `${poolId}/${device.name}`,
    driver,
    poolId,
    device,
    place,
    counters,
    groups: new Map<string, string>(),
  }));
  return { devices, isWhole: true };
};

/** What a node reaches of what drivers have published. */
export const publishedDevicesOn = (node: SelectableNode, slices: readonly ResourceSlice[]): ReachedDevices => {
  const byPool = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const key = `${slice.spec.driver}/${slice.spec.pool.name}`;
    byPool.set(key, [...(byPool.get(key) ?? []), slice]);
  }
  const pools = [...byPool.values()].flatMap((all) => {
    const newest = Math.max(...all.map(({ spec }) => spec.pool.generation ?? 0));
    const current = all.filter(({ spec }) => (spec.pool.generation ?? 0) === newest);
    return reachedPool(current, node) ?? [];
  });
  return { devices: pools.flatMap(({ devices }) => devices), isWhole: pools.every(({ isWhole }) => isWhole) };
};
