import type { ClusterSnapshot, InstanceType } from '@karpenter/core';
import type { DeviceNodeSelector } from '@karpenter/core/internal';
import { isBrokenPool, poolCounters, publishedOn } from '@karpenter/simulator';
import type { ReachedDevices } from '@karpenter/simulator';
import { meetsExpression } from '../node-labels.ts';
import type { Labels } from '../node-labels.ts';

/** A machine that pods with claims are placed on. `type`: its devices are not published yet. */
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

/** The devices that a machine of the type will publish. Each binding of an attribute is one group. */
const expectedDevices = ({ dynamicResources }: InstanceType, machine: Machine): ReachedDevices => {
  const { resourceSliceTemplates = [], attributeBindings = [] } = dynamicResources ?? {};
  const pools = new Map<string, typeof resourceSliceTemplates>();
  for (const each of resourceSliceTemplates)
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

/** The devices that a machine brings itself: none, where they are published. */
export const ownDevices = (machine: Machine): ReachedDevices =>
  machine.type === undefined ? { devices: [], isWhole: true } : expectedDevices(machine.type, machine);

/** What a machine reaches: what is published for it, and of a machine without published devices what its type promises. */
export const reachedBy = (machine: Machine, snapshot: ClusterSnapshot): ReachedDevices => {
  const published = publishedOn(machine, snapshot.devices?.slices ?? []);
  const own = ownDevices(machine);
  return { devices: [...published.devices, ...own.devices], isWhole: published.isWhole && own.isWhole };
};
