import type { ClusterSnapshot, CounterSet, Device, DeviceNodeSelector, InstanceType, ResourceSlice } from '@karpenter/core';
import { nanosOfQuantity } from '@karpenter/simulator';
import { meetsExpression } from '../node-labels.ts';
import type { Labels } from '../node-labels.ts';
import type { Reachable } from './device-search.ts';

/** A machine that pods with claims are placed on. `type`: its devices are not published yet. */
export interface Machine {
  readonly name: string;
  readonly labels: Labels;
  readonly type?: InstanceType | undefined;
}

/** What a machine reaches, and whether all of its pools are published. */
export interface Reached {
  readonly devices: readonly Reachable[];
  readonly isWhole: boolean;
}

interface Place {
  readonly nodeName?: string;
  readonly nodeSelector?: DeviceNodeSelector;
  readonly allNodes?: boolean;
}

export const isSelected = ({ nodeSelectorTerms }: DeviceNodeSelector, { name, labels }: Machine): boolean =>
  nodeSelectorTerms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((each) => meetsExpression(each, labels)) &&
      matchFields.every((each) => meetsExpression(each, { 'metadata.name': name })),
  );

const isThere = ({ nodeName = '', nodeSelector, allNodes }: Place, machine: Machine): boolean =>
  allNodes === true || (nodeName === '' ? nodeSelector !== undefined && isSelected(nodeSelector, machine) : nodeName === machine.name);

const countersOf = (sets: readonly CounterSet[]): ReadonlyMap<string, bigint> =>
  new Map(
    sets.flatMap(({ name, counters }) =>
      Object.entries(counters).map(([counter, { value }]) => [`${name} ${counter}`, nanosOfQuantity(value)] as const),
    ),
  );

const needsUnknownCounter = ({ consumesCounters = [] }: Device, counters: ReadonlyMap<string, bigint>): boolean =>
  consumesCounters.some(({ counterSet, counters: own }) => Object.keys(own).some((counter) => !counters.has(`${counterSet} ${counter}`)));

const isBroken = (devices: readonly Device[], sets: readonly CounterSet[]): boolean =>
  new Set(devices.map(({ name }) => name)).size < devices.length ||
  new Set(sets.map(({ name }) => name)).size < sets.length ||
  devices.some((device) => needsUnknownCounter(device, countersOf(sets)));

/** The pool of some slices of one generation, as the machine sees it; undefined where nothing of it is there. */
const reachedPool = (slices: readonly ResourceSlice[], machine: Machine): Reached | undefined => {
  const [first] = slices;
  const placed = slices.flatMap(({ spec }) =>
    (spec.devices ?? []).map((device) => ({ device, isHere: isThere(spec.perDeviceNodeSelection === true ? device : spec, machine) })),
  );
  const here = placed.filter(({ isHere }) => isHere);
  if (first === undefined || here.length === 0) return undefined;
  const { driver, pool } = first.spec;
  const sets = slices.flatMap(({ spec }) => spec.sharedCounters ?? []);
  const isWhole = slices.length === (pool.resourceSliceCount ?? 1);
  if (
    !isWhole ||
    isBroken(
      placed.map(({ device }) => device),
      sets,
    )
  )
    return { devices: [], isWhole: false };
  const poolId = `${driver}/${pool.name}`;
  const counters = countersOf(sets);
  const devices = here.map(({ device }) => ({
    id: `${poolId}/${device.name}`,
    driver,
    poolId,
    device,
    counters,
    groups: new Map<string, string>(),
  }));
  return { devices, isWhole: true };
};

/** The devices that a machine of the type will publish. Each binding of an attribute is one group. */
const expectedDevices = ({ dynamicResources }: InstanceType, machine: Machine): Reached => {
  const { resourceSliceTemplates = [], attributeBindings = [] } = dynamicResources ?? {};
  const pools = new Map<string, typeof resourceSliceTemplates>();
  for (const each of resourceSliceTemplates)
    pools.set(`${each.driver}/${each.pool}`, [...(pools.get(`${each.driver}/${each.pool}`) ?? []), each]);
  const reached = [...pools].map(([id, templates]): Reached => {
    const devices = templates.flatMap((each) => each.devices ?? []);
    const sets = templates.flatMap(({ sharedCounters = [] }) => sharedCounters);
    if (isBroken(devices, sets)) return { devices: [], isWhole: false };
    const [{ driver } = { driver: '' }] = templates;
    const groupsOf = (device: string): ReadonlyMap<string, string> =>
      new Map(
        attributeBindings.flatMap(({ attribute, devices: bound }, index) =>
          bound.some((other) => `${other.driver}/${other.pool}` === id && other.device === device)
            ? [[attribute, `group ${index}`] as const]
            : [],
        ),
      );
    const counters = countersOf(sets);
    const poolId = `${machine.name} ${id}`;
    return {
      isWhole: true,
      devices: devices.map((device) => ({
        id: `${poolId}/${device.name}`,
        driver,
        poolId,
        device,
        counters,
        groups: groupsOf(device.name),
      })),
    };
  });
  return { devices: reached.flatMap(({ devices }) => devices), isWhole: reached.every(({ isWhole }) => isWhole) };
};

/** What a machine reaches: what is published for it, and of a machine without published devices what its type promises. */
export const reachedBy = (machine: Machine, snapshot: ClusterSnapshot): Reached => {
  const byPool = new Map<string, ResourceSlice[]>();
  for (const slice of snapshot.devices?.slices ?? []) {
    const key = `${slice.spec.driver}/${slice.spec.pool.name}`;
    byPool.set(key, [...(byPool.get(key) ?? []), slice]);
  }
  const pools = [...byPool.values()].flatMap((slices) => {
    const newest = Math.max(...slices.map(({ spec }) => spec.pool.generation ?? 0));
    return (
      reachedPool(
        slices.filter(({ spec }) => (spec.pool.generation ?? 0) === newest),
        machine,
      ) ?? []
    );
  });
  const all = machine.type === undefined ? pools : [...pools, expectedDevices(machine.type, machine)];
  return { devices: all.flatMap(({ devices }) => devices), isWhole: all.every(({ isWhole }) => isWhole) };
};
