import type { ClusterSnapshot, InstanceType } from '@karpenter/core';
import type { DeviceNodeSelector, ResourceSlice } from '@karpenter/core/internal';
import { isBrokenPool, poolCounters, publishedDevicesOn } from '@karpenter/simulator';
import type { ReachedDevices } from '@karpenter/simulator';
import { meetsExpression } from '../node-labels.ts';
import type { PlainLabels } from '../node-labels.ts';

/** A machine that pods with claims are placed on. `type`: not all of its devices are published yet. */
export interface DeviceMachine {
  readonly name: string;
  readonly labels: PlainLabels;
  readonly type?: InstanceType | undefined;
}

export const isSelected = ({ nodeSelectorTerms }: DeviceNodeSelector, { name, labels }: DeviceMachine): boolean =>
  nodeSelectorTerms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((each) => meetsExpression(each, labels)) &&
      matchFields.every((each) => meetsExpression(each, { 'metadata.name': name })),
  );

/** A pool of devices, by its driver and the names of its devices. */
interface NamedPool {
  readonly driver: string;
  readonly names: readonly string[];
}

/** Pools with devices of the machine alone that are published as a whole, by their ids. */
const ownPools = (machine: DeviceMachine, slices: readonly ResourceSlice[]): ReadonlyMap<string, NamedPool> => {
  const pools = new Map<string, NamedPool>();
  for (const { poolId, driver, device, place } of publishedDevicesOn(machine, slices).devices)
    if (place?.nodeName === machine.name) pools.set(poolId, { driver, names: [...(pools.get(poolId)?.names ?? []), device.name].sort() });
  return pools;
};

/** The promised pools that are left when each published one has kept a promise of its driver: of the same devices if there is one. */
const unkept = <T extends NamedPool>(promised: readonly T[], published: Iterable<NamedPool>): readonly T[] => {
  const left = [...promised];
  const others: NamedPool[] = [];
  const strike = (isKept: (pool: T) => boolean): boolean => {
    const index = left.findLastIndex(isKept);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  };
  for (const pool of published)
    if (!strike(({ driver, names }) => driver === pool.driver && names.toSorted().join() === pool.names.join())) others.push(pool);
  for (const pool of others) strike(({ driver }) => driver === pool.driver);
  return left;
};

/** A slice without the devices that are of the machine alone. */
const withoutOwn = ({ spec, ...slice }: ResourceSlice, { name }: DeviceMachine): ResourceSlice => {
  const isOwn = ({ nodeName }: { readonly nodeName?: string }): boolean => nodeName === name;
  const devices = (spec.devices ?? []).filter((device) => !isOwn(spec.perDeviceNodeSelection === true ? device : spec));
  return { ...slice, spec: { ...spec, devices } };
};

/** The pools that a machine of the type will publish beside those that are. */
const expectedPools = ({ dynamicResources }: InstanceType, published: Iterable<NamedPool>) => {
  const { resourceSliceTemplates = [] } = dynamicResources ?? {};
  const ids = [...new Set(resourceSliceTemplates.map(({ driver, pool }) => `${driver}/${pool}`))];
  const promised = ids.map((id) => {
    const templates = resourceSliceTemplates.filter(({ driver, pool }) => `${driver}/${pool}` === id);
    const names = templates.flatMap(({ devices = [] }) => devices.map(({ name }) => name));
    return { id, templates, names, driver: templates[0]?.driver ?? '' };
  });
  return unkept(promised, published);
};

/** The devices that a machine of the type will publish beside these pools. Each binding of an attribute is one group. */
const expectedDevices = (type: InstanceType, machine: DeviceMachine, published: Iterable<NamedPool>): ReachedDevices => {
  const { attributeBindings = [] } = type.dynamicResources ?? {};
  const reached = expectedPools(type, published).map(({ id, driver, templates }): ReachedDevices => {
    const devices = templates.flatMap((each) => each.devices ?? []);
    const sets = templates.flatMap(({ sharedCounters = [] }) => sharedCounters);
    if (isBrokenPool(devices, sets)) return { devices: [], isWhole: false };
    const groupsOf = (device: string): ReadonlyMap<string, string> =>
      new Map(
        attributeBindings.flatMap(({ attribute, devices: bound }, index) =>
          bound.some((other) => `${other.driver}/${other.pool}` === id && other.device === device)
            ? [[attribute, `group ${index}`] as const]
            : [],
        ),
      );
    const counters = poolCounters(sets);
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

/** The devices that a machine brings itself beside the pools that it has published. */
export const ownDevices = (machine: DeviceMachine, published: Iterable<NamedPool> = []): ReachedDevices =>
  machine.type === undefined ? { devices: [], isWhole: true } : expectedDevices(machine.type, machine, published);

/**
 * What a machine reaches: what is published for it, and what its type promises of pools that its drivers have not
 * published; part of a pool counts for nothing until they have.
 */
export const reachedBy = (machine: DeviceMachine, snapshot: ClusterSnapshot): ReachedDevices => {
  const slices = snapshot.devices?.slices ?? [];
  if (machine.type === undefined) return publishedDevicesOn(machine, slices);
  const pools = ownPools(machine, slices);
  const own = ownDevices(machine, pools.values());
  const done = new Set([...pools.values()].map(({ driver }) => driver));
  for (const { driver } of expectedPools(machine.type, pools.values())) done.delete(driver);
  const counts = ({ spec: { driver, pool } }: ResourceSlice): boolean => done.has(driver) || pools.has(`${driver}/${pool.name}`);
  const published = publishedDevicesOn(
    machine,
    slices.map((slice) => (counts(slice) ? slice : withoutOwn(slice, machine))),
  );
  return { devices: [...published.devices, ...own.devices], isWhole: published.isWhole && own.isWhole };
};
