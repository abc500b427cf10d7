import { memoByObject } from '../../base/index.ts';
import type { CapacityRequestPolicy, Device, DeviceAttribute, DeviceTaint, NodeSelectorTerm, ResourceSlice } from '../../kube/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import type { SelectedDevice } from './cel/device-selector.ts';

/** Where a device can be used: on one node, on the nodes of a selector (terms ORed), or everywhere. */
export type DeviceReach =
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'nodes'; readonly terms: readonly NodeSelectorTerm[] }
  | { readonly kind: 'everywhere' };

/** The same for equal reaches. */
export const reachText = memoByObject((reach: DeviceReach): string => JSON.stringify(reach));

/** How much of a capacity there is, and how it is given out. Amounts in nanos. */
export interface CapacityModel {
  readonly total: bigint;
  readonly policy: CapacityRequestPolicy | undefined;
}

/** What of one counter of its pool a device takes. */
export interface CounterUse {
  /** Counter set and counter. */
  readonly counter: string;
  readonly nanos: bigint;
}

/** A device that can be allocated. Amounts in nanos. */
export interface PoolDevice extends SelectedDevice {
  /** Unique among the published devices, and among the templates of one instance type. */
  readonly id: string;
  readonly name: string;
  readonly poolKey: string;
  /** Whether it is what a machine will publish, instead of published. */
  readonly isTemplate: boolean;
  readonly capacities: ReadonlyMap<string, CapacityModel>;
  readonly counters: readonly CounterUse[];
  readonly taints: readonly DeviceTaint[];
  readonly reach: DeviceReach;
  /** Whether a claim waits for conditions after it was allocated; such devices come last. */
  readonly hasBindingConditions: boolean;
  /** Whether the allocation is for the chosen node only. */
  readonly bindsToNode: boolean;
}

/** The attribute of a device by its full name. A name without domain is of the driver's domain. */
export const attributeOf = ({ attributes, driver }: PoolDevice, name: string): DeviceAttribute | undefined => {
  const found = attributes.get(name);
  if (found !== undefined || !name.startsWith(`${driver}/`)) return found;
  return attributes.get(name.slice(driver.length + 1));
};

/** A text that differs for values of different types. */
export const attributeText = ({ int, bool, string, version }: DeviceAttribute): string => {
  if (string !== undefined) return `string ${string}`;
  if (version !== undefined) return `version ${version}`;
  return int === undefined ? `bool ${String(bool)}` : `int ${int}`;
};

/** The amount of a quantity in nanos; 0 where it cannot be read. */
export const nanosOf = (quantity: string | number | undefined): bigint =>
  quantity === undefined ? 0n : (parseQuantity(String(quantity))?.nanos ?? 0n);

/** The name of a counter within its pool. */
export const counterName = (set: string, counter: string): string => `${set}/${counter}`;

export const poolKeyOf = (driver: string, pool: string): string => `${driver}/${pool}`;

/** The id of a published device. */
export const deviceId = (driver: string, pool: string, device: string): string => `${driver}/${pool}/${device}`;

/** The id of a device that a machine will publish: never that of a published one. */
export const templateId = (driver: string, pool: string, device: string): string => `+${deviceId(driver, pool, device)}`;

const reachOf = (where: Pick<Device, 'nodeName' | 'nodeSelector' | 'allNodes'>): DeviceReach | undefined => {
  if (where.allNodes === true) return { kind: 'everywhere' };
  if (where.nodeName !== undefined && where.nodeName !== '') return { kind: 'node', name: where.nodeName };
  return where.nodeSelector === undefined ? undefined : { kind: 'nodes', terms: where.nodeSelector.nodeSelectorTerms };
};

/** A pool that its devices are of. */
type SlicePool = Pick<ResourceSlice['spec'], 'driver'> & { readonly pool: string; readonly isTemplate: boolean };

const NOWHERE: DeviceReach = { kind: 'nodes', terms: [] };

const capacitiesOf = ({ capacity = {} }: Device): ReadonlyMap<string, CapacityModel> =>
  new Map(Object.entries(capacity).map(([key, { value, requestPolicy }]) => [key, { total: nanosOf(value), policy: requestPolicy }]));

const countersOf = ({ consumesCounters = [] }: Device): readonly CounterUse[] =>
  consumesCounters.flatMap(({ counterSet, counters }) =>
    Object.entries(counters).map(([counter, { value }]) => ({ counter: counterName(counterSet, counter), nanos: nanosOf(value) })),
  );

/** What of a device decides where and how it can be had. */
const traitsOf = (device: Device): Pick<PoolDevice, 'taints' | 'allowsMultiple' | 'hasBindingConditions' | 'bindsToNode'> => {
  return {
    taints: device.taints ?? [],
    allowsMultiple: device.allowMultipleAllocations === true,
    hasBindingConditions: (device.bindingConditions?.length ?? 0) > 0,
    bindsToNode: device.bindsToNode === true,
  };
};

/** A device as its driver describes it. `reach`: where it is unless it says so itself. */
export const poolDevice = (device: Device, { driver, pool, isTemplate }: SlicePool, reach: DeviceReach | undefined): PoolDevice => {
  const { name, attributes = {}, ...rest } = device;
  const poolKey = `${isTemplate ? '+' : ''}${poolKeyOf(driver, pool)}`;
  const capacities = capacitiesOf(device);
  return {
    id: (isTemplate ? templateId : deviceId)(driver, pool, name),
    name,
    driver,
    poolKey,
    likeness: JSON.stringify([poolKey, reach, attributes, rest]),
    isTemplate,
    attributes: new Map(Object.entries(attributes)),
    capacities,
    capacity: new Map([...capacities].map(([key, { total }]) => [key, total])),
    counters: countersOf(device),
    reach: reach ?? reachOf(device) ?? NOWHERE,
    ...traitsOf(device),
  };
};

/** Where the devices of a slice are; undefined when each says so itself. */
export const reachOfSlice = ({ spec }: ResourceSlice): DeviceReach | undefined =>
  spec.perDeviceNodeSelection === true ? undefined : (reachOf(spec) ?? NOWHERE);
