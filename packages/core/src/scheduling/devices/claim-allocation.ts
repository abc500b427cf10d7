import { getOrMake, itemAt, memoByObject } from '../../base/index.ts';
import { toleratesTaint } from '../../kube/index.ts';
import type { Taint, Toleration } from '../../kube/index.ts';
import { AttributeConstraint } from './attribute-constraint.ts';
import type { AttributeGroups } from './attribute-constraint.ts';
import { isSelectorProblem } from './cel/device-selector.ts';
import type { SelectorProblem } from './cel/device-selector.ts';
import { MOST_DEVICES } from './claim-request.ts';
import type { ClaimRequest, ClaimRequests } from './claim-request.ts';
import { reachText } from './device.ts';
import type { DeviceReach, PoolDevice } from './device.ts';
import type { DevicePool } from './device-pools.ts';
import { consumedCapacity, DeviceUsage } from './device-usage.ts';
import type { ConsumedCapacity, Grant } from './device-usage.ts';
import type { Whereabouts } from './whereabouts.ts';

/** A claim that wants devices. */
export interface WantedClaim {
  readonly key: string;
  readonly wanted: ClaimRequests;
}

/**
 * What a place offers: pools with the devices that it can reach, in the order in which they are tried, and what of them
 * is taken.
 */
export interface DeviceOffer {
  readonly pools: readonly DevicePool[];
  readonly groups: AttributeGroups;
  readonly usage: DeviceUsage;
  readonly whereabouts: Whereabouts;
  /** Absent: the place is searched once only. */
  readonly free?: FreeDevices;
}

/** How many devices one allocation may try. Beyond that it fails, so that no claim takes long. */
export interface DeviceEffort {
  steps: number;
}

/** What one allocation came to. `too-complex`: it ended for its effort. */
export type Allocation =
  | { readonly kind: 'allocated'; readonly grants: readonly Grant[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'too-complex' }
  | { readonly kind: 'selector'; readonly problem: SelectorProblem };

/** Whether no taint of the device keeps the request off. */
export const toleratesDevice = ({ tolerations }: ClaimRequest, { taints }: PoolDevice): boolean =>
  taints.every(({ key, value = '', effect }) => {
    if (effect !== 'NoSchedule' && effect !== 'NoExecute') return true;
    const taint: Taint = { key, value, effect };
    return tolerations.some((each) => toleratesTaint(each as Toleration, taint));
  });

/** Whether every selector of the request selects the device, or the first problem. */
export const selectsPoolDevice = ({ selectors }: ClaimRequest, device: PoolDevice): boolean | SelectorProblem => {
  for (const { selects } of selectors) {
    const answer = selects(device);
    if (answer !== true) return answer;
  }
  return true;
};

/** Whether the counters of the pool suffice for one more of the device. */
export const hasCounters = ({ poolKey, counters, allowsMultiple, id }: PoolDevice, pool: DevicePool, usage: DeviceUsage): boolean =>
  counters.length === 0 ||
  (allowsMultiple && usage.isTaken(id)) ||
  counters.every(({ counter, nanos }) => usage.counterOf(poolKey, counter) + nanos <= (pool.counters.get(counter) ?? 0n));

/** Whether that much more of the device's capacity is left. */
export const hasRoom = ({ id, capacity }: PoolDevice, consumed: ConsumedCapacity, usage: DeviceUsage): boolean =>
  consumed.size === 0 || [...consumed].every(([name, amount]) => usage.capacityOf(id, name) + amount <= (capacity.get(name) ?? 0n));

/** Whether devices of the reach can still be used. */
export const canEnter = (reach: DeviceReach, whereabouts: Whereabouts): boolean => {
  if (!whereabouts.enter(reach)) return false;
  whereabouts.leave();
  return true;
};

/** Keeps a place out of reach of a pool; false where it cannot be. */
export const avoidsPool = ({ reaches }: DevicePool, whereabouts: Whereabouts): boolean =>
  reaches.every((reach) => !canEnter(reach, whereabouts) || whereabouts.avoid(reach));

/** A request of a claim, and how much of it is met. */
interface Position {
  readonly claim: number;
  readonly request: number;
}

/** The devices that a request may have, with their pools. */
interface Slot {
  readonly device: PoolDevice;
  readonly pool: DevicePool;
}

/** The devices of all pools that can be allocated from; made once for each list of pools. */
const slotsOf = memoByObject((pools: readonly DevicePool[]): readonly Slot[] =>
  pools.flatMap((pool) => (pool.state === 'ready' ? pool.devices.map((device) => ({ device, pool })) : [])),
);

/** Whether the device can be allocated as far as others decide; a shared one may still lack capacity. */
const isFree = ({ device, pool }: Slot, usage: DeviceUsage): boolean =>
  (device.allowsMultiple || !usage.isTaken(device.id)) && hasCounters(device, pool, usage);

/**
 * The devices of a place that are free. In one solve none becomes free again: nodes whose devices are all in use take no
 * search, however many there are.
 */
export class FreeDevices {
  #slots: readonly Slot[];
  readonly #usage: DeviceUsage;
  #version = -1;

  constructor(pools: readonly DevicePool[], usage: DeviceUsage) {
    this.#slots = slotsOf(pools);
    this.#usage = usage;
  }

  get slots(): readonly Slot[] {
    const { version } = this.#usage;
    if (version !== this.#version) this.#slots = this.#slots.filter((slot) => isFree(slot, this.#usage));
    this.#version = version;
    return this.#slots;
  }
}

/** Devices that have the same reach. */
interface ReachGroup {
  readonly reach: DeviceReach;
  readonly slots: readonly Slot[];
}

const byReach = (slots: readonly Slot[]): readonly ReachGroup[] =>
  [...Map.groupBy(slots, ({ device }) => reachText(device.reach)).values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ reach: group[0].device.reach, slots: group }],
  );

/** So many devices are checked for the cost of one try: most do not suit the request. */
const CHECKS_A_STEP = 8;
/** The same of devices that are only looked up among the misfits. */
const MISFITS_A_STEP = 64;

/** Devices that can never meet a request, as far as searches came to them. */
class Misfits {
  #count = 0;
  readonly #devices = new WeakSet<PoolDevice>();
  /** Pools → their devices less the misfits when there were so many. */
  readonly #others = new WeakMap<readonly DevicePool[], { readonly slots: readonly Slot[]; readonly count: number }>();

  add(device: PoolDevice): void {
    if (this.has(device)) return;
    this.#devices.add(device);
    this.#count++;
  }

  /** A device that is like a misfit is one too. */
  addAlike(device: PoolDevice, other: PoolDevice): void {
    if (this.has(other)) this.add(device);
  }

  has(device: PoolDevice): boolean {
    return this.#devices.has(device);
  }

  /** How many devices listing the others checks. */
  checksFor(pools: readonly DevicePool[]): number {
    const known = this.#others.get(pools);
    return known?.count === this.#count ? 0 : (known?.slots ?? slotsOf(pools)).length;
  }

  /** The devices of the pools that are no misfits so far. */
  othersIn(pools: readonly DevicePool[]): readonly Slot[] {
    const known = this.#others.get(pools);
    if (known?.count === this.#count) return known.slots;
    const slots = (known?.slots ?? slotsOf(pools)).filter(({ device }) => !this.has(device));
    this.#others.set(pools, { slots, count: this.#count });
    return slots;
  }
}

const misfitsOf = memoByObject((_: ClaimRequest) => new Misfits());

/** What it costs to enter or to avoid a reach: requirements are merged. */
const STEPS_A_REACH = 16;

/** A search for devices, claim by claim, request by request, device by device; it goes back where it gets stuck. */
class Search {
  readonly #claims: readonly WantedClaim[];
  readonly #offer: DeviceOffer;
  readonly #effort: DeviceEffort;
  readonly #usage: DeviceUsage;
  readonly #constraints: readonly (readonly AttributeConstraint[])[];
  readonly #all: readonly Slot[];
  /**
   * Request for all devices → those that it is for. They stay the same throughout a search, which may come to the
   * request thousands of times.
   */
  readonly #matches = new Map<ClaimRequest, readonly ReachGroup[]>();
  readonly #grants: Grant[] = [];
  readonly #hopeless = new Map<ClaimRequest, boolean>();
  /** Why the search ended before its time: then nothing more is met. */
  #end: Exclude<Allocation, { readonly kind: 'allocated' }> | undefined;

  constructor(claims: readonly WantedClaim[], offer: DeviceOffer, effort: DeviceEffort) {
    this.#claims = claims;
    this.#offer = offer;
    this.#effort = effort;
    this.#usage = new DeviceUsage(offer.usage);
    this.#constraints = claims.map(({ wanted }) => wanted.constraints.map((each) => new AttributeConstraint(each, offer.groups)));
    this.#all = slotsOf(offer.pools);
  }

  allocation(): Allocation {
    if (this.#avoidsUnready() && this.#meets({ claim: 0, request: 0 })) return { kind: 'allocated', grants: this.#grants };
    return this.#end ?? { kind: 'none' };
  }

  /**
   * Keeps the place out of reach of pools that are incomplete or contradict themselves, if any request or alternative is
   * for all devices; false where it cannot be kept out.
   */
  #avoidsUnready(): boolean {
    const wantsAll = this.#claims.some(({ wanted }) => wanted.requests.some((alternatives) => alternatives.some((each) => each.wantsAll)));
    if (!wantsAll) return true;
    const { pools, whereabouts } = this.#offer;
    return pools.every((pool) => pool.state === 'ready' || (this.#spends(STEPS_A_REACH) && avoidsPool(pool, whereabouts)));
  }

  #canEnter(reach: DeviceReach): boolean {
    return this.#spends(STEPS_A_REACH) && canEnter(reach, this.#offer.whereabouts);
  }

  /** Whether all from the position on can be met. */
  #meets({ claim, request }: Position): boolean {
    const alternatives = this.#claims[claim]?.wanted.requests[request];
    if (alternatives !== undefined) {
      if (alternatives.some((each) => this.#meetsRequest(each, { claim, request }))) return true;
      if (alternatives.every((each) => this.#isHopeless(each))) this.#end ??= { kind: 'none' };
      return false;
    }
    return claim + 1 >= this.#claims.length || this.#meets({ claim: claim + 1, request: 0 });
  }

  #meetsRequest(asked: ClaimRequest, at: Position): boolean {
    if (!asked.wantsAll) return this.#meetsWith({ asked, at, slots: this.#slotsFor(asked), left: asked.count });
    const groups = this.#everyMatch(asked).filter(({ reach }) => this.#canEnter(reach));
    return this.#end === undefined && this.#meetsAll({ asked, at, slots: [], left: 0 }, groups);
  }

  /** An administrator may have devices that are in use. */
  #slotsFor(asked: ClaimRequest): readonly Slot[] {
    return (asked.isAdmin ? undefined : this.#offer.free?.slots) ?? this.#likelyFor(asked);
  }

  /** The devices that are not known not to be for the request. */
  #likelyFor(asked: ClaimRequest): readonly Slot[] {
    const misfits = misfitsOf(asked);
    const { pools } = this.#offer;
    return this.#spends(misfits.checksFor(pools) / MISFITS_A_STEP) ? misfits.othersIn(pools) : [];
  }

  /** Whether too few devices suit the request even if all others leave it every device: then no order of devices helps. */
  #isHopeless(asked: ClaimRequest): boolean {
    const known = this.#hopeless.get(asked);
    if (known !== undefined || asked.wantsAll) return known ?? false;
    const slots = this.#slotsFor(asked);
    if (!this.#spends(Math.ceil(slots.length / CHECKS_A_STEP))) return false;
    let suited = 0;
    for (const { device } of slots) {
      if (misfitsOf(asked).has(device) || this.#suitedBy(asked, device) === undefined) continue;
      // A device that several may share can be had as often as its capacity lasts.
      suited += device.allowsMultiple ? asked.count : 1;
      if (suited >= asked.count) break;
    }
    const isHopeless = suited < asked.count;
    this.#hopeless.set(asked, isHopeless);
    return isHopeless;
  }

  /**
   * Decides where the place is: out of reach of the next devices if possible. Devices that all nodes of a zone reach
   * are better left to them.
   */
  #meetsAll(filling: Filling, [group, ...others]: readonly ReachGroup[]): boolean {
    if (group === undefined) return this.#meetsWith(filling);
    const { whereabouts } = this.#offer;
    if (!this.#spends(STEPS_A_REACH)) return false;
    if (whereabouts.avoid(group.reach)) {
      if (this.#meetsAll(filling, others)) return true;
      whereabouts.leave();
    }
    if (this.#end !== undefined || !whereabouts.enter(group.reach)) return false;
    const slots = [...filling.slots, ...group.slots];
    if (this.#meetsAll({ ...filling, slots, left: slots.length }, others)) return true;
    whereabouts.leave();
    return false;
  }

  #meetsWith(filling: Filling): boolean {
    const { at, left } = filling;
    return left > 0 && this.#countOf(at) + left <= MOST_DEVICES && this.#fills(filling, 0);
  }

  /**
   * Every device that the request is for. Those without as much capacity as it asks for are not, whatever they are used
   * for.
   */
  #everyMatch(asked: ClaimRequest): readonly ReachGroup[] {
    return getOrMake(this.#matches, asked, () => {
      if (!this.#spends(Math.ceil(this.#all.length / CHECKS_A_STEP))) return [];
      const matching = this.#all.filter(({ device }) => {
        if (this.#end !== undefined || !this.#selects(asked, device)) return false;
        const consumed = consumedCapacity(asked.capacity, device);
        return consumed !== undefined && hasRoom(device, consumed, this.#offer.usage);
      });
      return byReach(matching);
    });
  }

  /** Whether so many steps may be taken; else the search ends. */
  #spends(steps: number): boolean {
    if (this.#effort.steps <= 0) this.#end ??= { kind: 'too-complex' };
    else this.#effort.steps -= steps;
    return this.#end === undefined;
  }

  #countOf({ claim }: Position): number {
    const { key } = itemAt(this.#claims, claim);
    return this.#grants.reduce((sum, { claimKey }) => sum + Number(claimKey === key), 0);
  }

  #fills(filling: Filling, from: number): boolean {
    const { asked, at, slots, left } = filling;
    if (left === 0) return this.#meets({ claim: at.claim, request: at.request + 1 });
    const refused = new Map<string, PoolDevice>();
    // All devices must be had: the first must do.
    const until = asked.wantsAll ? from + 1 : slots.length;
    for (let index = from; index < until && this.#end === undefined; index++) {
      const slot = slots[index];
      if (slot === undefined) return false;
      const alike = this.#kindOf(slot.device);
      const other = refused.get(alike);
      if (other !== undefined) {
        misfitsOf(asked).addAlike(slot.device, other);
        continue;
      }
      // A device that several may share can be had once more; the order of others does not matter.
      const isOnceMore = slot.device.allowsMultiple && !asked.wantsAll;
      if (this.#tries(filling, slot, index + Number(!isOnceMore))) return true;
      if (!this.#usage.isTaken(slot.device.id)) refused.set(alike, slot.device);
    }
    return false;
  }

  /** Free devices of one kind are as good as each other. A device that is of no kind has one of its own. */
  #kindOf({ id, likeness, allowsMultiple }: PoolDevice): string {
    return allowsMultiple || this.#offer.groups.size > 0 ? id : likeness;
  }

  #tries(filling: Filling, { device, pool }: Slot, next: number): boolean {
    if (!this.#spends(1 / CHECKS_A_STEP) || misfitsOf(filling.asked).has(device)) return false;
    const grant = this.#grantOf(filling, device, pool);
    if (grant === undefined || !this.#spends(1) || !this.#offer.whereabouts.enter(device.reach)) return false;
    if (this.#constrained(filling, device)) {
      this.#usage.hold(grant);
      this.#grants.push(grant);
      if (this.#fills({ ...filling, left: filling.left - 1 }, next)) return true;
      this.#grants.pop();
      this.#usage.release(grant);
      for (const each of itemAt(this.#constraints, filling.at.claim)) each.remove(filling.asked);
    }
    this.#offer.whereabouts.leave();
    return false;
  }

  /** Adds the device to the constraints of its claim; false, and nothing changed, where one forbids it. */
  #constrained({ asked, at }: Filling, device: PoolDevice): boolean {
    const constraints = itemAt(this.#constraints, at.claim);
    let added = 0;
    for (const each of constraints) {
      if (!each.add(asked, device)) {
        for (const earlier of constraints.slice(0, added)) earlier.remove(asked);
        return false;
      }
      added += 1;
    }
    return true;
  }

  #grantOf({ asked, at }: Filling, device: PoolDevice, pool: DevicePool): Grant | undefined {
    const { isAdmin, name } = asked;
    const claimKey = itemAt(this.#claims, at.claim).key;
    const isOwn = this.#grants.some((grant) => grant.claimKey === claimKey && grant.device === device);
    if (isOwn && !device.allowsMultiple) return undefined;
    if (!this.#isFree(isAdmin, device, pool)) return undefined;
    const consumed = this.#suitedBy(asked, device);
    if (consumed === undefined || !hasRoom(device, consumed, this.#usage)) return undefined;
    return { claimKey, request: name, device, consumed, isAdmin };
  }

  /** What the request takes of the device; undefined where the device is not for it, whatever it is used for. */
  #suitedBy(asked: ClaimRequest, device: PoolDevice): ConsumedCapacity | undefined {
    const isSelected = toleratesDevice(asked, device) && this.#selects(asked, device);
    const consumed = isSelected ? consumedCapacity(asked.capacity, device) : undefined;
    if (consumed === undefined && this.#end === undefined) misfitsOf(asked).add(device);
    return consumed;
  }

  /** An administrator shares the device with whoever has it, but needs the counters too. */
  #isFree(isAdmin: boolean, device: PoolDevice, pool: DevicePool): boolean {
    return (isAdmin || device.allowsMultiple || !this.#usage.isTaken(device.id)) && hasCounters(device, pool, this.#usage);
  }

  #selects(asked: ClaimRequest, device: PoolDevice): boolean {
    const answer = selectsPoolDevice(asked, device);
    if (!isSelectorProblem(answer)) return answer;
    this.#end ??= { kind: 'selector', problem: answer };
    return false;
  }
}

/** A request that is given devices: those it may have, and how many it still needs. */
interface Filling {
  readonly asked: ClaimRequest;
  readonly at: Position;
  readonly slots: readonly Slot[];
  readonly left: number;
}

/** Whether there is no device at all for claims that want some: so it is with most types of a catalog. */
export const isWithoutDevices = (claims: readonly WantedClaim[], { pools }: Pick<DeviceOffer, 'pools'>): boolean =>
  pools.length === 0 && claims.some(({ wanted }) => wanted.requests.length > 0);

/**
 * Finds devices for all the claims together. The first of each request's alternatives that leaves the others a
 * solution, devices in the order of the offer. Deterministic. Changes nothing but the effort and the whereabouts,
 * which are of no use when it finds nothing.
 *
 * As in kube-scheduler, it fails if a selector cannot be evaluated on a device that it reaches. It also fails if a
 * request or alternative is for all devices and a pool in reach is incomplete or contradicts itself. Source:
 * Kubernetes, `k8s.io/dynamic-resource-allocation/structured`.
 */
export const allocateDevices = (claims: readonly WantedClaim[], offer: DeviceOffer, effort: DeviceEffort): Allocation => {
  if (isWithoutDevices(claims, offer)) return { kind: 'none' };
  return new Search(claims, offer, effort).allocation();
};

/** The claims of a pod that is not to be alone. */
export interface ClaimsTogether {
  readonly claims: readonly WantedClaim[];
  /** Those that each of the others has a like one of for itself. */
  readonly own: readonly WantedClaim[];
  /** How many others. */
  readonly others: number;
}

/** The same for the first of several pods, where each of the others finds devices for its own claims after it. */
export const allocateTogether = ({ claims, own, others }: ClaimsTogether, offer: DeviceOffer, effort: DeviceEffort): Allocation => {
  const first = allocateDevices(claims, offer, effort);
  const usage = new DeviceUsage(offer.usage);
  let last = first;
  for (let other = 0; other < others && own.length > 0 && last.kind === 'allocated'; other++) {
    for (const grant of last.grants) usage.take(grant);
    last = allocateDevices(own, { ...offer, usage }, effort);
  }
  return last.kind === 'allocated' ? first : last;
};
