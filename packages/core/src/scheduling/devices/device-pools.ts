import { addToGroup, compareText, finish, highestOf, makingOnce, memoByObject } from '../../base/index.ts';
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

/** What slices say of one pool. */
interface Parts {
  readonly driver: string;
  readonly devices: readonly (readonly PoolDevice[])[];
  readonly sets: readonly CounterSet[];
}

const NO_COUNTERS: DevicePool['counters'] = new Map();

/** How many devices are read without a pause, at least: those of a slice are read together. */
const DEVICES_A_STEP = 4096;

/** The devices of the slices of a pool, and what is the same for all of them. */
interface JoinedDevices {
  readonly devices: readonly PoolDevice[];
  readonly reaches: readonly DeviceReach[];
  /** Whether no two have one name, and their counters are those of the pool. */
  readonly isConsistent: boolean;
}

function* joiningDevices(lists: Parts['devices'], counters: DevicePool['counters']): Steps<JoinedDevices> {
  const devices: PoolDevice[] = [];
  const ids = new Set<string>();
  const reaches = new Set<DeviceReach>();
  let areCountersKnown = true;
  for (const list of lists) {
    for (const device of list) {
      devices.push(device);
      ids.add(device.id);
      reaches.add(device.reach);
      areCountersKnown &&= device.counters.every(({ counter }) => counters.has(counter));
    }
    if (devices.length % DEVICES_A_STEP < list.length) yield;
  }
  const distinct = new Map([...reaches].map((reach) => [reachText(reach), reach]));
  return { devices, reaches: [...distinct.values()], isConsistent: areCountersKnown && ids.size === devices.length };
}

function* makingPool(key: string, isIncomplete: boolean, { driver, devices: lists, sets }: Parts): Steps<DevicePool> {
  const counters = countersOf(sets);
  const { devices, reaches: own, isConsistent } = yield* joiningDevices(lists, counters ?? NO_COUNTERS);
  // kube-scheduler reads the counters of every pool on every node, and sees there that a slice is missing.
  const reaches: readonly DeviceReach[] = isIncomplete && sets.length > 0 ? [{ kind: 'everywhere' }] : own;
  if (counters === undefined || !isConsistent) return { key, driver, state: 'invalid', devices: [], counters: NO_COUNTERS, reaches };
  return { key, driver, state: isIncomplete ? 'incomplete' : 'ready', devices: inOrder(devices), counters, reaches };
}

/** Read once for each slice: another slice of the pool that changes costs nothing here. */
const devicesOfSlice = memoByObject((slice: ResourceSlice): readonly PoolDevice[] => {
  const { driver, pool, devices = [] } = slice.spec;
  const reach = reachOfSlice(slice);
  return devices.map((device) => poolDevice(device, { driver, pool: pool.name, isTemplate: false }, reach));
});

const partsOf = (slices: readonly ResourceSlice[]): Parts => ({
  driver: slices[0]?.spec.driver ?? '',
  devices: slices.map(devicesOfSlice),
  sets: slices.flatMap(({ spec }) => spec.sharedCounters ?? []),
});

const generationOf = ({ spec }: ResourceSlice): number => spec.pool.generation ?? 0;

/** The slices of the highest generation, by name. */
const newest = (slices: readonly ResourceSlice[]): readonly ResourceSlice[] => {
  const generation = highestOf(slices.map(generationOf));
  return slices.filter((slice) => generationOf(slice) === generation).sort((a, b) => compareText(a.metadata.name, b.metadata.name));
};

/** How many slices are read without a pause. A slice has 128 devices at most. */
const SLICES_A_STEP = 8;
/** A pool takes as long as so many of its devices, besides these. */
const DEVICES_A_POOL = 64;

const known = new WeakMap<readonly ResourceSlice[], readonly DevicePool[]>();

function* makingPools(slices: readonly ResourceSlice[]): Steps<readonly DevicePool[]> {
  const byPool = new Map<string, ResourceSlice[]>();
  for (const [index, slice] of slices.entries()) {
    addToGroup(byPool, poolKeyOf(slice.spec.driver, slice.spec.pool.name), slice);
    devicesOfSlice(slice);
    if (index % SLICES_A_STEP === SLICES_A_STEP - 1) yield;
  }
  const pools: DevicePool[] = [];
  let joined = 0;
  for (const [key, all] of [...byPool].sort(([a], [b]) => compareText(a, b))) {
    const current = newest(all);
    const [first] = current;
    const count = first?.spec.pool.resourceSliceCount ?? 1;
    const parts = partsOf(current);
    pools.push(yield* makingPool(key, current.length !== count, parts));
    joined += parts.devices.reduce((sum, { length }) => sum + length, DEVICES_A_POOL);
    if (joined < DEVICES_A_STEP) continue;
    joined = 0;
    yield;
  }
  return pools;
}

/** The pools that slices describe, by driver and name. Made once for each list. */
export const publishingPools = (slices: readonly ResourceSlice[]): Steps<readonly DevicePool[]> => makingOnce(known, slices, makingPools);

/** The same without a pause. */
export const publishedPools = (slices: readonly ResourceSlice[]): readonly DevicePool[] => finish(publishingPools(slices));

/** The pools that a machine of the type will publish, in the order of its templates. */
export const templatePools = memoByObject((type: InstanceType): readonly DevicePool[] => {
  const { resourceSliceTemplates = [] } = type.dynamicResources ?? {};
  const keys = [...new Set(resourceSliceTemplates.map(({ driver, pool }) => poolKeyOf(driver, pool)))];
  return keys.map((key) => {
    const own = resourceSliceTemplates.filter(({ driver, pool }) => poolKeyOf(driver, pool) === key);
    const parts: Parts = {
      driver: own[0]?.driver ?? '',
      devices: own.map(({ driver, pool, devices = [] }) =>
        devices.map((device) => poolDevice(device, { driver, pool, isTemplate: true }, { kind: 'everywhere' })),
      ),
      sets: own.flatMap(({ sharedCounters = [] }) => sharedCounters),
    };
    return finish(makingPool(key, false, parts));
  });
});
