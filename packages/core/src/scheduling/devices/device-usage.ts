import type { CapacityRequestPolicy } from '../../kube/index.ts';
import { nanosOf } from './device.ts';
import type { CapacityModel, PoolDevice } from './device.ts';

/** Capacity → what an allocation takes of it, in nanos. */
export type ConsumedCapacity = ReadonlyMap<string, bigint>;

const NOTHING: ConsumedCapacity = new Map();

const leastOf = (values: readonly bigint[], atLeast: bigint): bigint | undefined =>
  values
    .filter((value) => value >= atLeast)
    .reduce<bigint | undefined>((least, value) => (least === undefined || value < least ? value : least), undefined);

const inRange = ({ min, max, step }: NonNullable<CapacityRequestPolicy['validRange']>, wanted: bigint): bigint | undefined => {
  const from = nanosOf(min);
  const stepNanos = nanosOf(step);
  const above = wanted <= from ? 0n : wanted - from;
  const rounded = stepNanos > 0n ? from + ((above + stepNanos - 1n) / stepNanos) * stepNanos : from + above;
  return max !== undefined && rounded > nanosOf(max) ? undefined : rounded;
};

/** What a request for `wanted` takes under the policy; undefined when the policy allows nothing that large. */
const roundedUp = (wanted: bigint, policy: CapacityRequestPolicy): bigint | undefined => {
  if (policy.validValues !== undefined) return leastOf(policy.validValues.map(nanosOf), wanted);
  return policy.validRange === undefined ? wanted : inRange(policy.validRange, wanted);
};

/** Without a request an allocation takes the policy's default, and where there is none, everything. */
const consumedOf = ({ total, policy }: CapacityModel, wanted: bigint | undefined): bigint | undefined => {
  if (policy === undefined) return wanted ?? total;
  if (wanted === undefined) return policy.default === undefined ? total : nanosOf(policy.default);
  return roundedUp(wanted, policy);
};

/**
 * What a request takes of the capacities of a device; undefined when it asks for one that the device does not have by
 * that very name, or for more than there is. A device that is allocated as a whole has nothing taken of it. Source:
 * Kubernetes, `CapacityRequirements` and `CapacityRequestPolicy` of `resource.k8s.io/v1`.
 */
export const consumedCapacity = (requested: ReadonlyMap<string, bigint>, device: PoolDevice): ConsumedCapacity | undefined => {
  for (const [name, amount] of requested) if (amount > (device.capacities.get(name)?.total ?? -1n)) return undefined;
  if (!device.allowsMultiple) return NOTHING;
  const consumed = new Map<string, bigint>();
  for (const [name, model] of device.capacities) {
    const amount = consumedOf(model, requested.get(name));
    if (amount === undefined || amount > model.total) return undefined;
    consumed.set(name, amount);
  }
  return consumed;
};

/** A device that a request was given. */
export interface Grant {
  readonly claimKey: string;
  readonly request: string;
  readonly device: PoolDevice;
  readonly consumed: ConsumedCapacity;
  /** It sees what others use, and takes nothing from other pods. */
  readonly isAdmin: boolean;
}

const add = (amounts: Map<string, bigint>, key: string, more: bigint): void => {
  amounts.set(key, (amounts.get(key) ?? 0n) + more);
};

/** What is taken of devices. On top of another it adds to what is taken there, and does not change that. */
export class DeviceUsage {
  readonly #below: readonly DeviceUsage[];
  /** Device → how many allocations it has. */
  readonly #taken = new Map<string, number>();
  readonly #capacity = new Map<string, bigint>();
  readonly #counters = new Map<string, bigint>();
  #changes = 0;

  constructor(...below: readonly DeviceUsage[]) {
    this.#below = below;
  }

  /** Whether nothing was ever taken here. */
  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  /** Another number whenever something was taken or released here or below. */
  get version(): number {
    return this.#below.reduce((sum, usage) => sum + usage.version, this.#changes);
  }

  isTaken(id: string): boolean {
    return this.#allocationsOf(id) > 0;
  }

  capacityOf(id: string, name: string): bigint {
    return this.#below.reduce((sum, usage) => sum + usage.capacityOf(id, name), this.#capacity.get(`${id} ${name}`) ?? 0n);
  }

  counterOf(poolKey: string, counter: string): bigint {
    return this.#below.reduce((sum, usage) => sum + usage.counterOf(poolKey, counter), this.#counters.get(`${poolKey} ${counter}`) ?? 0n);
  }

  /** Takes what others then lack: an administrator takes nothing. */
  take(grant: Grant): void {
    if (!grant.isAdmin) this.hold(grant);
  }

  /** Undoes `take`, also of what was taken below. */
  putBack(grant: Grant): void {
    if (!grant.isAdmin) this.release(grant);
  }

  /** Takes it for as long as one pod's claims are allocated: its other claims lack also what an administrator has. */
  hold({ device, consumed }: Grant): void {
    this.#shift(device, consumed, 1n);
  }

  /** Undoes `hold`. */
  release({ device, consumed }: Grant): void {
    this.#shift(device, consumed, -1n);
  }

  #allocationsOf(id: string): number {
    let count = this.#taken.get(id) ?? 0;
    for (const usage of this.#below) count += usage.#allocationsOf(id);
    return count;
  }

  #shift({ id, poolKey, counters, allowsMultiple }: PoolDevice, consumed: ConsumedCapacity, times: bigint): void {
    this.#changes++;
    const before = this.#allocationsOf(id);
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + Number(times));
    for (const [name, amount] of consumed) add(this.#capacity, `${id} ${name}`, amount * times);
    // A shared device takes its counters once, however many use it.
    if (allowsMultiple && before > 0 && before + Number(times) > 0) return;
    for (const { counter, nanos } of counters) add(this.#counters, `${poolKey} ${counter}`, nanos * times);
  }
}
