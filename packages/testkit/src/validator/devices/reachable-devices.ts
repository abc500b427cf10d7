import type { ClusterSnapshot, InstanceType } from '@karpenter/core';
import type { DeviceNodeSelector, ResourceSlice } from '@karpenter/core/internal';
import { isBrokenPool, poolCounters, publishedOn } from '@karpenter/simulator';
import type { ReachedDevices } from '@karpenter/simulator';
import { meetsExpression } from '../node-labels.ts';
import type { Labels } from '../node-labels.ts';

/** A machine that pods with claims are placed on. `type`: not all of its devices are published yet. */
export interface Machine {
  readonly name: string;
  readonly labels: Labels;
  readonly type?: InstanceType | undefined;
}

export const isSelected = ({ nodeSelectorTerms }: DeviceNodeSelector, { name, labels }: Machine): boolean =>
  nodeSelectorTerms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((each) => meetsExpression(each, labels)) &&
      matchFields.every((each) => meetsExpression(each, { 'metadata.name': name })),
  );

/** Drivers that have published a whole pool with devices of the machine alone. */
const publishingDrivers = (machine: Machine, slices: readonly ResourceSlice[]): ReadonlySet<string> =>
  new Set(
    publishedOn(machine, slices)
      .devices.filter(({ place }) => place?.nodeName === machine.name)
      .map(({ driver }) => driver),
  );

/** A slice without the devices that are of the machine alone. */
const withoutOwn = ({ spec, ...slice }: ResourceSlice, { name }: Machine): ResourceSlice => {
  const isOwn = ({ nodeName }: { readonly nodeName?: string }): boolean => nodeName === name;
  const devices = (spec.devices ?? []).filter((device) => !isOwn(spec.perDeviceNodeSelection === true ? device : spec));
  return { ...slice, spec: { ...spec, devices } };
};

/** The devices that a machine of the type will publish, of drivers that have not. Each binding of an attribute is one group. */
const expectedDevices = ({ dynamicResources }: InstanceType, machine: Machine, published: ReadonlySet<string>): ReachedDevices => {
  const { resourceSliceTemplates = [], attributeBindings = [] } = dynamicResources ?? {};
  const pools = new Map<string, typeof resourceSliceTemplates>();
  for (const each of resourceSliceTemplates.filter(({ driver }) => !published.has(driver)))
    pools.set(`${each.driver}/${each.pool}`, [...(pools.get(`${each.driver}/${each.pool}`) ?? []), each]);
  const reached = [...pools].map(([id, templates]): ReachedDevices => {
    const devices = templates.flatMap((each) => each.devices ?? []);
    const sets = templates.flatMap(({ sharedCounters = [] }) => sharedCounters);
    if (isBrokenPool(devices, sets)) return { devices: [], isWhole: false };
    const [{ driver } = { driver: '' }] = templates;
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

const NONE: ReadonlySet<string> = new Set();

/** The devices that a machine brings itself, of drivers that have not published theirs. */
export const ownDevices = (machine: Machine, published = NONE): ReachedDevices =>
  machine.type === undefined ? { devices: [], isWhole: true } : expectedDevices(machine.type, machine, published);

/**
 * What a machine reaches: what is published for it, and what its type promises of drivers that have not published a
 * whole pool; part of a pool counts for nothing until then.
 */
export const reachedBy = (machine: Machine, snapshot: ClusterSnapshot): ReachedDevices => {
  const slices = snapshot.devices?.slices ?? [];
  if (machine.type === undefined) return publishedOn(machine, slices);
  const drivers = publishingDrivers(machine, slices);
  const own = ownDevices(machine, drivers);
  const published = publishedOn(
    machine,
    slices.map((slice) => (drivers.has(slice.spec.driver) ? slice : withoutOwn(slice, machine))),
  );
  return { devices: [...published.devices, ...own.devices], isWhole: published.isWhole && own.isWhole };
};
