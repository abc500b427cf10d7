import type { ConsumedCapacity } from './capacity-request.ts';
import type { PoolDevice } from './device.ts';

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

/** What is taken of devices. On top of another it adds to what is taken there, and leaves that as it is. */
export class DeviceUsage {
  readonly #below: readonly DeviceUsage[];
  /** Device → how many allocations it has. */
  readonly #taken = new Map<string, number>();
  readonly #capacity = new Map<string, bigint>();
  readonly #counters = new Map<string, bigint>();

  constructor(...below: readonly DeviceUsage[]) {
    this.#below = below;
  }

  /** Whether nothing was ever taken here. */
  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  isTaken(id: string): boolean {
    return (this.#taken.get(id) ?? 0) > 0 || this.#below.some((usage) => usage.isTaken(id));
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

  /** Takes it for as long as one pod's claims are allocated: its other claims lack also what an administrator has. */
  hold({ device, consumed }: Grant): void {
    this.#shift(device, consumed, 1n);
  }

  /** Undoes `hold`. */
  release({ device, consumed }: Grant): void {
    this.#shift(device, consumed, -1n);
  }

  #shift({ id, poolKey, counters, allowsMultiple }: PoolDevice, consumed: ConsumedCapacity, times: bigint): void {
    const before = this.#taken.get(id) ?? 0;
    const after = before + Number(times);
    this.#taken.set(id, after);
    for (const [name, amount] of consumed) add(this.#capacity, `${id} ${name}`, amount * times);
    // A shared device takes its counters once, however many use it.
    if (allowsMultiple && ((before > 0 && after > 0) || this.#below.some((usage) => usage.isTaken(id)))) return;
    for (const { counter, nanos } of counters) add(this.#counters, `${poolKey} ${counter}`, nanos * times);
  }
}
