import { failureRecord } from './failure-record.ts';

/** What tells a purchase apart: size, its quota family, its vCPUs. */
export interface BlockedSize {
  readonly name: string;
  readonly family: string;
  readonly vCpus: number;
}

export interface BlockedOffering {
  readonly size: BlockedSize;
  /** As the zone label says it; `0` is regional. */
  readonly zone: string;
  readonly capacityType: string;
  /** How long it is blocked the first time; each further failure in a row doubles that. */
  readonly ttlMs: number;
}

/** A purchase, whether it failed or not. */
export type Purchased = Pick<BlockedOffering, 'size' | 'zone' | 'capacityType'>;

/** Purchases that failed lately, so that the next plan looks elsewhere. Forgets by itself. */
export interface UnavailableOfferings {
  /** Blocks the size in a zone, and its siblings of the same or more vCPUs. */
  block(offering: BlockedOffering): void;
  /** Blocks spot everywhere: the subscription's spot quota is used up. */
  blockSpot(ttlMs: number): void;
  /** It was to be had: its failures before count no more. */
  sold(purchase: Purchased): void;
  has(size: BlockedSize, zone: string, capacityType: string): boolean;
  /** Grows whenever an answer of `has` may have changed, by a block or by forgetting one. */
  version(): number;
}

interface Entry {
  readonly untilMs: number;
  /** Sizes of the family with at least so many vCPUs. */
  readonly fromVCpus: number;
}

const SPOT = 'spot';

/**
 * An empty memory. Source: the original's `pkg/cache/unavailableofferings.go`.
 * Differs: a second block never shortens the first; a purchase that fails again after its block ran out stays out twice as long.
 */
export const unavailableOfferings = (clock: { now(): number }): UnavailableOfferings => {
  const entries = new Map<string, Entry>();
  const records = failureRecord(clock);
  let version = 0;

  const forget = (): void => {
    const now = clock.now();
    for (const [key, entry] of entries) {
      if (entry.untilMs > now) continue;
      entries.delete(key);
      version++;
    }
  };
  const put = (key: string, fromVCpus: number, ttlMs: number): void => {
    forget();
    const before = entries.get(key);
    const threshold = Math.min(fromVCpus, before?.fromVCpus ?? Infinity);
    entries.set(key, { fromVCpus: threshold, untilMs: Math.max(clock.now() + ttlMs, before?.untilMs ?? 0) });
    if (before?.fromVCpus !== threshold) version++;
  };
  const blocks = (key: string, vCpus: number): boolean => {
    const entry = entries.get(key);
    return entry !== undefined && entry.untilMs > clock.now() && vCpus >= entry.fromVCpus;
  };
  const sizeKey = (size: BlockedSize, zone: string, capacityType: string): string => `size ${capacityType} ${zone} ${size.name}`;
  const familyKey = (size: BlockedSize, zone: string, capacityType: string): string =>
    `family ${capacityType} ${zone} ${size.family.toLowerCase()}`;

  return {
    block: ({ size, zone, capacityType, ttlMs }) => {
      const key = sizeKey(size, zone, capacityType);
      const longMs = records.lengthenedMs(key, ttlMs);
      put(key, 0, longMs);
      if (size.family !== '') put(familyKey(size, zone, capacityType), size.vCpus, longMs);
    },
    blockSpot: (ttlMs) => put(SPOT, 0, records.lengthenedMs(SPOT, ttlMs)),
    sold: ({ size, zone, capacityType }) => {
      records.forget(sizeKey(size, zone, capacityType));
      if (capacityType === SPOT) records.forget(SPOT);
    },
    has: (size, zone, capacityType) =>
      (capacityType === SPOT && blocks(SPOT, 0)) ||
      blocks(familyKey(size, zone, capacityType), size.vCpus) ||
      blocks(sizeKey(size, zone, capacityType), size.vCpus),
    version: () => {
      forget();
      return version;
    },
  };
};
