import type { Taint } from '@karpenter/core';
import type {
  Device,
  DeviceClass,
  DeviceConstraint,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaimSpec,
  Toleration,
} from '@karpenter/core/internal';
import { isTolerated } from '../cluster/selectors/toleration.ts';
import { nanosOfQuantity, selectsDevice } from './selects-device.ts';

/** A device that a machine reaches, with the counters of its pool. */
export interface ReachableDevice {
  readonly id: string;
  readonly driver: string;
  readonly poolId: string;
  readonly device: Device;
  /** The nodes that reach it, of a published one. */
  readonly place?: Pick<Device, 'nodeName' | 'nodeSelector' | 'allNodes'>;
  /** Counter set and counter → nanos. */
  readonly counters: ReadonlyMap<string, bigint>;
  /** Devices with one value of an attribute that is not known yet: attribute → group. */
  readonly groups: ReadonlyMap<string, string>;
}

/** A claim, and the devices that the machine of its pod reaches. `isWhole`: all of its pools are published. */
export interface DeviceTask {
  readonly key: string;
  readonly spec: ResourceClaimSpec;
  readonly devices: readonly ReachableDevice[];
  readonly isWhole: boolean;
  /** The pod that it is allocated for, where claims of several pods are searched together. */
  readonly pod?: string;
  /** The claim on the other machines of its pods. It is allocated on any one of them, and all of them reach its devices. */
  readonly elsewhere?: readonly DeviceTask[];
}

/** Device → what is taken of it: capacity → nanos. */
export type TakenDevices = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** A device that a request of a claim may have. */
export interface DeviceChoice {
  readonly task: DeviceTask;
  readonly request: string;
  readonly reachable: ReachableDevice;
  readonly consumed: ReadonlyMap<string, bigint>;
  readonly isAdmin: boolean;
}

type Wanted = ExactDeviceRequest & { readonly name: string };

const alternativesOf = (request: NonNullable<NonNullable<ResourceClaimSpec['devices']>['requests']>[number]): readonly Wanted[] =>
  request.exactly === undefined
    ? (request.firstAvailable ?? []).map((each) => ({ ...each, name: `${request.name}/${each.name}` }))
    : [{ ...request.exactly, name: request.name }];

const ofDriver = <T>(all: Readonly<Record<string, T>> | undefined, driver: string, name: string): T | undefined =>
  all?.[name] ?? (name.startsWith(`${driver}/`) ? all?.[name.slice(driver.length + 1)] : undefined);

type Policy = NonNullable<NonNullable<Device['capacity']>[string]['requestPolicy']>;

const leastFrom = (values: readonly bigint[], asked: bigint): bigint | undefined =>
  values.filter((each) => each >= asked).sort((a, b) => (a < b ? -1 : 1))[0];

/** The least of the range that is enough. */
const inRange = ({ min = 0, max, step = 0 }: NonNullable<Policy['validRange']>, asked: bigint): bigint | undefined => {
  let amount = nanosOfQuantity(min);
  const each = nanosOfQuantity(step);
  if (each === 0n && asked > amount) amount = asked;
  while (amount < asked) amount += each;
  return max !== undefined && amount > nanosOfQuantity(max) ? undefined : amount;
};

/** What a request takes of one capacity; undefined when the policy forbids it. Source: Kubernetes, `CapacityRequestPolicy`. */
const consumption = ({ value, requestPolicy }: NonNullable<Device['capacity']>[string], asked: bigint | undefined): bigint | undefined => {
  const policy: Policy = requestPolicy ?? {};
  if (asked === undefined) return nanosOfQuantity(policy.default ?? value);
  if (policy.validValues !== undefined) return leastFrom(policy.validValues.map(nanosOfQuantity), asked);
  return policy.validRange === undefined ? asked : inRange(policy.validRange, asked);
};

type Asked = Readonly<Record<string, string | number>>;

/** Whether the device has the requested amount of each capacity. */
const hasAll = (requests: Asked, { device }: ReachableDevice): boolean =>
  Object.entries(requests).every(([name, amount]) => {
    const own = device.capacity?.[name];
    return own !== undefined && nanosOfQuantity(own.value) >= nanosOfQuantity(amount);
  });

const consumedBy = ({ capacity }: Wanted, reachable: ReachableDevice): ReadonlyMap<string, bigint> | undefined => {
  const { device } = reachable;
  const requests = capacity?.requests ?? {};
  if (!hasAll(requests, reachable)) return undefined;
  const consumed = new Map<string, bigint>();
  if (device.allowMultipleAllocations !== true) return consumed;
  for (const [name, own] of Object.entries(device.capacity ?? {})) {
    const asked = requests[name];
    const amount = consumption(own, asked === undefined ? undefined : nanosOfQuantity(asked));
    if (amount === undefined) return undefined;
    consumed.set(name, amount);
  }
  return consumed;
};

const bears = (tolerations: readonly DeviceToleration[], { taints = [] }: Device): boolean =>
  taints
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
    .every((taint) => isTolerated(taint as Taint, tolerations as readonly Toleration[]));

/** The value of an attribute, or the group that it will be equal in. */
const valueOf = ({ device, driver, groups }: ReachableDevice, name: string): string | undefined => {
  const value = ofDriver(device.attributes, driver, name);
  return value === undefined ? groups.get(name) : JSON.stringify(value);
};

const meets = ({ requests = [], matchAttribute, distinctAttribute }: DeviceConstraint, chosen: readonly DeviceChoice[]): boolean => {
  const about = chosen.filter(
    ({ request }) => requests.length === 0 || requests.some((name) => request === name || request.startsWith(`${name}/`)),
  );
  const values = about.map(({ reachable }) => valueOf(reachable, matchAttribute ?? distinctAttribute ?? ''));
  const distinct = new Set(values).size;
  return values.every((value) => value !== undefined) && (matchAttribute === undefined ? distinct === values.length : distinct <= 1);
};

const constraintsOf = ({ spec }: DeviceTask): readonly DeviceConstraint[] => spec.devices?.constraints ?? [];

/** What the device takes: counter set and counter, and how much. */
const countersOf = ({ consumesCounters = [] }: Device): readonly (readonly [name: string, nanos: bigint])[] =>
  consumesCounters.flatMap(({ counterSet, counters }) =>
    Object.entries(counters).map(([counter, { value }]) => [`${counterSet} ${counter}`, nanosOfQuantity(value)] as const),
  );

/** What an administrator has counts for the other claims of the same pod alone. */
const isCounted = (each: DeviceChoice, last: DeviceChoice): boolean => !each.isAdmin || each.task.pod === last.task.pod;

/** Whether any request or alternative is for all devices, while not all pools are known. */
const wantsAllOfPart = ({ spec, isWhole }: DeviceTask): boolean =>
  !isWhole && (spec.devices?.requests ?? []).flatMap(alternativesOf).some(({ allocationMode }) => allocationMode === 'All');

/** The claim on each machine that it may be allocated on. */
const homesOf = (task: DeviceTask): readonly DeviceTask[] => {
  const { elsewhere = [] } = task;
  const others = elsewhere.map((home) => ({ ...home, elsewhere: [task, ...elsewhere.filter((each) => each !== home)] }));
  return [task, ...others].filter((home) => !wantsAllOfPart(home));
};

const isReached = ({ id }: ReachableDevice, { elsewhere = [] }: DeviceTask): boolean =>
  elsewhere.every(({ devices }) => devices.some((each) => each.id === id));

/** Tries every assignment of devices to requests: slow, and plain enough to be believed. */
export class DeviceSearch {
  readonly #classes: ReadonlyMap<string, DeviceClass>;
  readonly #taken: TakenDevices;
  readonly #chosen: DeviceChoice[] = [];
  #stepsLeft: number;
  /** Whether claims of other pods may have taken devices first. */
  #hasOthers = false;

  constructor(classes: ReadonlyMap<string, DeviceClass>, taken: TakenDevices, steps: number) {
    this.#classes = classes;
    this.#taken = taken;
    this.#stepsLeft = steps;
  }

  /** What the last search found, device by device. */
  get chosen(): readonly DeviceChoice[] {
    return this.#chosen;
  }

  /**
   * Whether all claims can have their devices; undefined when the search takes too long. `hasOthers`: pods that are not
   * searched for may have taken devices first.
   */
  finds(tasks: readonly DeviceTask[], hasOthers = false): boolean | undefined {
    if (tasks.some((task) => homesOf(task).length === 0)) return false;
    this.#hasOthers = hasOthers || new Set(tasks.map(({ pod }) => pod)).size > 1;
    const found = this.#task(tasks, 0);
    return this.#stepsLeft < 0 && !found ? undefined : found;
  }

  #task(tasks: readonly DeviceTask[], index: number): boolean {
    const task = tasks[index];
    return task === undefined || homesOf(task).some((home) => this.#request(home, 0, () => this.#task(tasks, index + 1)));
  }

  #request(task: DeviceTask, index: number, then: () => boolean): boolean {
    const request = task.spec.devices?.requests?.[index];
    if (request === undefined) return then();
    return alternativesOf(request).some((wanted) => {
      const suited = task.devices.filter((each) => this.#suits(wanted, each));
      const next = (): boolean => this.#request(task, index + 1, then);
      if (wanted.allocationMode !== 'All') return this.#slots({ task, wanted, suited, isAll: false }, wanted.count ?? 1, next);
      const left = suited.filter((each) => this.#hasLeft(wanted, each));
      return this.#ranges(left).some(({ devices, count }) =>
        this.#slots({ task, wanted, suited: devices, isAll: count === devices.length }, count, next),
      );
    });
  }

  /**
   * What a request for all devices is met with. Of several pods it is not known which came first: one that finds a
   * shared device full does without it, as long as it has any.
   */
  #ranges(left: readonly ReachableDevice[]): readonly { readonly devices: readonly ReachableDevice[]; readonly count: number }[] {
    if (left.length === 0) return [];
    const whole = { devices: left, count: left.length };
    if (!this.#hasOthers) return [whole];
    const own = left.filter(({ device }) => device.allowMultipleAllocations !== true);
    return [whole, own.length === 0 ? { devices: left, count: 1 } : { devices: own, count: own.length }];
  }

  #slots(
    what: { readonly task: DeviceTask; readonly wanted: Wanted; readonly suited: readonly ReachableDevice[]; readonly isAll: boolean },
    left: number,
    then: () => boolean,
  ): boolean {
    if (left === 0) return then();
    const { task, wanted, suited, isAll } = what;
    return (isAll ? suited.slice(-left).slice(0, 1) : suited).some((reachable) => {
      if (--this.#stepsLeft < 0) return false;
      const consumed = consumedBy(wanted, reachable);
      if (consumed === undefined || !bears(wanted.tolerations ?? [], reachable.device)) return false;
      this.#chosen.push({ task, request: wanted.name, reachable, consumed, isAdmin: wanted.adminAccess === true });
      const isDone = this.#isAllowed(task) && this.#slots(what, left - 1, then);
      if (!isDone) this.#chosen.pop();
      return isDone;
    });
  }

  /** A device with a taint is one of all that match: a request for all of them is not met without it. */
  #suits({ deviceClassName, selectors = [] }: Wanted, { device, driver }: ReachableDevice): boolean {
    const own = this.#classes.get(deviceClassName)?.spec.selectors;
    if (!this.#classes.has(deviceClassName)) return false;
    const { attributes = {}, capacity = {}, allowMultipleAllocations = false } = device;
    const seen = {
      ...{ driver, attributes, allowMultipleAllocations },
      capacity: Object.fromEntries(Object.entries(capacity).map(([name, { value }]) => [name, value])),
    };
    return [...(own ?? []), ...selectors].every(({ cel }) => selectsDevice(cel?.expression ?? '', seen) === true);
  }

  /** Whether what is chosen goes together; only what the last choice may have broken is checked. */
  #isAllowed(task: DeviceTask): boolean {
    const last = this.#chosen.at(-1);
    const ofTask = this.#chosen.filter((each) => each.task === task);
    if (last === undefined || ofTask.length > 32) return last === undefined;
    const isTwice = ofTask.filter(({ reachable }) => reachable.id === last.reachable.id).length > 1;
    if ((isTwice && last.reachable.device.allowMultipleAllocations !== true) || !isReached(last.reachable, task)) return false;
    if (!this.#hasRoom(last) || !this.#hasCounters(last)) return false;
    return constraintsOf(task).every((constraint) => meets(constraint, ofTask));
  }

  /** Whether claims that are allocated leave as much of the device as the request is for. */
  #hasLeft(wanted: Wanted, reachable: ReachableDevice): boolean {
    const consumed = consumedBy(wanted, reachable);
    const { id, device } = reachable;
    if (consumed === undefined || device.allowMultipleAllocations !== true) return consumed !== undefined;
    const taken = this.#taken.get(id);
    return [...consumed].every(([name, nanos]) => (taken?.get(name) ?? 0n) + nanos <= nanosOfQuantity(device.capacity?.[name]?.value ?? 0));
  }

  #hasRoom(last: DeviceChoice): boolean {
    const { id, device } = last.reachable;
    const users = this.#chosen.filter((each) => each.reachable.id === id && isCounted(each, last));
    const taken = this.#taken.get(id);
    if (device.allowMultipleAllocations !== true) return last.isAdmin || (users.length === 1 && taken === undefined);
    return Object.entries(device.capacity ?? {}).every(([name, { value }]) => {
      const used = users.reduce((sum, { consumed }) => sum + (consumed.get(name) ?? 0n), taken?.get(name) ?? 0n);
      return used <= nanosOfQuantity(value);
    });
  }

  #hasCounters(last: DeviceChoice): boolean {
    const { task, reachable } = last;
    const { poolId, device, counters } = reachable;
    if (countersOf(device).length === 0) return true;
    const others = this.#chosen.filter((each) => isCounted(each, last)).map((each) => each.reachable);
    const inUse = [...task.devices.filter(({ id }) => this.#taken.has(id)), ...others].filter((each) => each.poolId === poolId);
    const used = new Map<string, bigint>();
    const isFirst = (each: ReachableDevice, index: number): boolean => inUse.findIndex(({ id }) => id === each.id) === index;
    // A device that several share takes its counters once.
    for (const each of inUse.filter((other, index) => other.device.allowMultipleAllocations !== true || isFirst(other, index)))
      for (const [name, amount] of countersOf(each.device)) used.set(name, (used.get(name) ?? 0n) + amount);
    return [...used].every(([name, amount]) => amount <= (counters.get(name) ?? -1n));
  }
}
