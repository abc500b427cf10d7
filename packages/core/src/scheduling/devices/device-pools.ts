import { addToGroup, compareText, finish, highestOf, memoByObject } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { CounterSet, ResourceSlice } from '../../kube/index.ts';
import { counterName, nanosOf, poolDevice, poolKeyOf, reachOfSlice, reachText } from './device.ts';
import type { DeviceReach, PoolDevice } from './device.ts';

/**
 * Devices of one driver that share counters. Of an `incomplete` pool some slices are not published yet: no request for
 * all devices can be met. An `invalid` one contradicts itself: it has no devices, and no request for all devices can be
 * met.
 */
export interface DevicePool {
  readonly key: string;
  readonly driver: string;
  readonly state: 'ready' | 'incomplete' | 'invalid';
  readonly devices: readonly PoolDevice[];
  /** Counter → how much there is, in nanos. */
  readonly counters: ReadonlyMap<string, bigint>;
  /** Where its devices are, also those that do not count. */
  readonly reaches: readonly DeviceReach[];
}

const countersOf = (sets: readonly CounterSet[]): ReadonlyMap<string, bigint> | undefined => {
  if (new Set(sets.map(({ name }) => name)).size < sets.length) return undefined;
  return new Map(
    sets.flatMap(({ name, counters }) =>
      Object.entries(counters).map(([counter, { value }]) => [counterName(name, counter), nanosOf(value)] as const),
    ),
  );
};

/** Binding conditions make a claim wait, so devices without any come first. */
const inOrder = (devices: readonly PoolDevice[]): readonly PoolDevice[] => [
  ...devices.filter(({ hasBindingConditions }) => !hasBindingConditions),
  ...devices.filter(({ hasBindingConditions }) => hasBindingConditions),
];

const isConsistent = (devices: readonly PoolDevice[], counters: ReadonlyMap<string, bigint>): boolean =>
  new Set(devices.map(({ id }) => id)).size === devices.length &&
  devices.every((device) => device.counters.every(({ counter }) => counters.has(counter)));

const poolOf = (key: string, isIncomplete: boolean, parts: Parts): DevicePool => {
  const { driver } = parts;
  const counters = countersOf(parts.sets);
  const own = [...new Map(parts.devices.map(({ reach }) => [reachText(reach), reach])).values()];
  // kube-scheduler reads the counters of every pool on every node, and sees there that a slice is missing.
  const reaches: readonly DeviceReach[] = isIncomplete && parts.sets.length > 0 ? [{ kind: 'everywhere' }] : own;
  if (counters === undefined || !isConsistent(parts.devices, counters))
    return { key, driver, state: 'invalid', devices: [], counters: new Map(), reaches };
  return { key, driver, state: isIncomplete ? 'incomplete' : 'ready', devices: inOrder(parts.devices), counters, reaches };
};

interface Parts {
  readonly driver: string;
  readonly devices: readonly PoolDevice[];
  readonly sets: readonly CounterSet[];
}

/** Read once for each slice: another slice of the pool that changes costs nothing here. */
const devicesOfSlice = memoByObject((slice: ResourceSlice): readonly PoolDevice[] => {
  const { driver, pool, devices = [] } = slice.spec;
  return devices.map((device) => poolDevice(device, { driver, pool: pool.name, isTemplate: false }, reachOfSlice(slice)));
});

const partsOf = (slices: readonly ResourceSlice[]): Parts => ({
  driver: slices[0]?.spec.driver ?? '',
  devices: slices.flatMap(devicesOfSlice),
  sets: slices.flatMap(({ spec }) => spec.sharedCounters ?? []),
});

const generationOf = ({ spec }: ResourceSlice): number => spec.pool.generation ?? 0;

/** The slices of the highest generation, by name. */
const newest = (slices: readonly ResourceSlice[]): readonly ResourceSlice[] => {
  const generation = highestOf(slices.map(generationOf));
  return slices.filter((slice) => generationOf(slice) === generation).sort((a, b) => compareText(a.metadata.name, b.metadata.name));
};

/** How many pools, and slices, are read without a pause. A slice has 128 devices at most. */
const POOLS_A_STEP = 64;
const SLICES_A_STEP = 8;

const known = new WeakMap<readonly ResourceSlice[], readonly DevicePool[]>();

/** The pools that slices describe, by driver and name. Made once for each list. */
export function* publishingPools(slices: readonly ResourceSlice[]): Steps<readonly DevicePool[]> {
  const made = known.get(slices);
  if (made !== undefined) return made;
  const byPool = new Map<string, ResourceSlice[]>();
  for (const [index, slice] of slices.entries()) {
    addToGroup(byPool, poolKeyOf(slice.spec.driver, slice.spec.pool.name), slice);
    devicesOfSlice(slice);
    if (index % SLICES_A_STEP === SLICES_A_STEP - 1) yield;
  }
  const pools: DevicePool[] = [];
  for (const [key, all] of [...byPool].sort(([a], [b]) => compareText(a, b))) {
    const current = newest(all);
    const [first] = current;
    const count = first?.spec.pool.resourceSliceCount ?? 1;
    pools.push(poolOf(key, current.length !== count, partsOf(current)));
    if (pools.length % POOLS_A_STEP === 0) yield;
  }
  known.set(slices, pools);
  return pools;
}

/** The same without a pause. */
export const publishedPools = (slices: readonly ResourceSlice[]): readonly DevicePool[] => finish(publishingPools(slices));

/** The pools that a machine of the type will publish, in the order of its templates. */
export const templatePools = memoByObject((type: InstanceType): readonly DevicePool[] => {
  const { resourceSliceTemplates = [] } = type.dynamicResources ?? {};
  const keys = [...new Set(resourceSliceTemplates.map(({ driver, pool }) => poolKeyOf(driver, pool)))];
  return keys.map((key) => {
    const own = resourceSliceTemplates.filter(({ driver, pool }) => poolKeyOf(driver, pool) === key);
    return poolOf(key, false, {
      driver: own[0]?.driver ?? '',
      devices: own.flatMap(({ driver, pool, devices = [] }) =>
        devices.map((device) => poolDevice(device, { driver, pool, isTemplate: true }, { kind: 'everywhere' })),
      ),
      sets: own.flatMap(({ sharedCounters = [] }) => sharedCounters),
    });
  });
});
