import { addToGroup } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { ResourceClaim } from '../../kube/index.ts';
import { deviceId, nanosOf } from './device.ts';
import type { DeviceReach } from './device.ts';
import type { DeviceOffers } from './device-offers.ts';
import { DeviceUsage } from './device-usage.ts';
import type { Grant } from './device-usage.ts';

/** Where the devices of a claim are that was given some. */
export type SettledClaim =
  /** On one place, by its key. */
  | { readonly kind: 'place'; readonly key: string }
  /** Wherever all of these are reached. */
  | { readonly kind: 'reached'; readonly reaches: readonly DeviceReach[] };

/** The claims of a snapshot, by their keys, and the pods that leave their nodes whatever the question is. */
export interface SnapshotClaims {
  readonly claims: ReadonlyMap<string, ResourceClaim>;
  readonly moving: ReadonlySet<string>;
}

/** How many claims are read without a pause. */
const CLAIMS_A_STEP = 1024;

const stayingUsers = ({ status }: ResourceClaim, moving: ReadonlySet<string>): number =>
  status?.reservedFor?.filter(({ uid }) => !moving.has(uid)).length ?? 0;

/** Whether all who use the claim move, so that its devices are free once they have gone. */
const isFreed = ({ status }: ResourceClaim, moving: ReadonlySet<string>): boolean => {
  const { reservedFor = [] } = status ?? {};
  return (
    reservedFor.length > 0 &&
    reservedFor.every(({ resource, apiGroup = '', uid }) => resource === 'pods' && apiGroup === '' && moving.has(uid))
  );
};

/** What claims have of published devices, and who uses them: read once for many questions, which may free some. */
export class ClaimedDevices {
  readonly usage = new DeviceUsage();
  readonly #offers: DeviceOffers;
  readonly #source: SnapshotClaims;
  readonly #settled = new Map<string, SettledClaim>();
  readonly #users = new Map<string, number>();
  /** Pod → the claims that it uses. */
  readonly #claimsOf = new Map<string, string[]>();

  constructor(offers: DeviceOffers, source: SnapshotClaims) {
    this.#offers = offers;
    this.#source = source;
  }

  *reading(): Steps<void> {
    let read = 0;
    for (const [key, claim] of this.#source.claims) {
      this.#read(key, claim);
      if (++read % CLAIMS_A_STEP === 0) yield;
    }
  }

  settledOf(key: string): SettledClaim | undefined {
    return this.#settled.get(key);
  }

  /** How many pods use it. */
  usersOf(key: string): number {
    return this.#users.get(key) ?? 0;
  }

  /** The claims that change once these pods leave, with how many pods use them then, and what is free of their devices then. */
  changedBy(moving: ReadonlySet<string>): readonly ChangedClaim[] {
    const keys = new Set([...moving].flatMap((uid) => this.#claimsOf.get(uid) ?? []));
    const all = new Set([...this.#source.moving, ...moving]);
    return [...keys].flatMap((key) => {
      const claim = this.#source.claims.get(key);
      if (claim === undefined) return [];
      const isFree = this.#settled.has(key) && isFreed(claim, all);
      return [{ key, users: stayingUsers(claim, all), freed: isFree ? this.#grantsOf(key, claim) : undefined }];
    });
  }

  #read(key: string, claim: ResourceClaim): void {
    const { moving } = this.#source;
    const users = stayingUsers(claim, moving);
    if (users > 0) this.#users.set(key, users);
    this.#readUsers(key, claim);
    const { allocation } = claim.status ?? {};
    if (allocation === undefined || isFreed(claim, moving)) return;
    const grants = this.#grantsOf(key, claim);
    for (const grant of grants) this.usage.take(grant);
    const reaches = grants.map(({ device }) => device.reach);
    if (allocation.nodeSelector !== undefined) reaches.push({ kind: 'nodes', terms: allocation.nodeSelector.nodeSelectorTerms });
    this.#settled.set(key, { kind: 'reached', reaches });
  }

  #readUsers(key: string, claim: ResourceClaim): void {
    for (const { uid } of claim.status?.reservedFor ?? []) {
      addToGroup(this.#claimsOf, uid, key);
    }
  }

  /** The devices of its allocation that are still published. */
  #grantsOf(claimKey: string, { status }: ResourceClaim): readonly Grant[] {
    const results = status?.allocation?.devices?.results ?? [];
    return results.flatMap(({ driver, pool, device: name, adminAccess: isAdmin = false, consumedCapacity = {}, request }) => {
      const device = this.#offers.publishedDevice(deviceId(driver, pool, name));
      if (device === undefined) return [];
      const consumed = new Map(Object.entries(consumedCapacity).map(([capacity, amount]) => [capacity, nanosOf(amount)]));
      return [{ claimKey, request, device, consumed, isAdmin }];
    });
  }
}

/** A claim that some of its pods leave. `freed`: its devices, where nobody else uses it. */
interface ChangedClaim {
  readonly key: string;
  readonly users: number;
  readonly freed: readonly Grant[] | undefined;
}
