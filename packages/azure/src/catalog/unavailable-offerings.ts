import { type Block, blockList } from '@karpenter/core/provider-kit';

/** The size of a purchase, with its quota family and vCPUs. */
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
  /** How long it is blocked the first time; each further failure in a row doubles that, up to `mostMs`. */
  readonly ttlMs: number;
  /** Left out: a day. */
  readonly mostMs?: number;
}

/** A purchase, whether it failed or not. */
export interface Purchased extends Pick<BlockedOffering, 'size' | 'zone' | 'capacityType'> {
  readonly reservationId?: string | undefined;
}

/** Purchases that failed lately, so that the next plan chooses others. Forgets by itself. */
export interface UnavailableOfferings {
  /** Blocks the size in a zone, and its siblings of the same or more vCPUs. */
  block(offering: BlockedOffering): void;
  /** Blocks spot everywhere, never longer: the subscription's spot quota is used up. */
  blockSpot(ttlMs: number): void;
  /**
   * Blocks on-demand sizes of as many vCPUs or more in all zones, for one to ten minutes: the region's quota has no
   * room for one.
   */
  blockRegion(fromVCpus: number): void;
  /** Blocks a capacity reservation, and nothing beside it. */
  blockReservation(id: string, ttlMs: number): void;
  /** It was in stock: resets its earlier failures. */
  sold(purchase: Purchased): void;
  has(size: BlockedSize, zone: string, capacityType: string): boolean;
  hasReservation(id: string): boolean;
  /** Grows whenever an answer of these may have changed, by a block or by forgetting one. */
  version(): number;
}

const SPOT = 'spot';
const ON_DEMAND = 'on-demand';
/** Every node that goes makes room: nobody waits for it long. */
const REGION = { key: 'region', ttlMs: 60_000, mostMs: 600_000 };

const reservationKey = (id: string): string => `reservation ${id}`;

const sizeKey = (size: BlockedSize, zone: string, capacityType: string): string => `size ${capacityType} ${zone} ${size.name}`;
const familyKey = (size: BlockedSize, zone: string, capacityType: string): string =>
  `family ${capacityType} ${zone} ${size.family.toLowerCase()}`;

/**
 * An empty memory. Source: the original's `pkg/cache/unavailableofferings.go`. Differs: a second block never shortens
 * the first. A purchase that fails again after its block ends is blocked twice as long. The quota of the region blocks
 * too: the original requests machine after machine, and each leaves an interface reserved for three minutes.
 */
export const unavailableOfferings = (clock: { now(): number }): UnavailableOfferings => {
  const blocks = blockList(clock);
  return {
    block: ({ size, zone, capacityType, ...times }) => {
      const itself: Block = { key: sizeKey(size, zone, capacityType), ...times };
      const siblings: Block = { key: familyKey(size, zone, capacityType), ...times, fromSize: size.vCpus };
      blocks.block(itself, ...(size.family === '' ? [] : [siblings]));
    },
    blockSpot: (ttlMs) => blocks.block({ key: SPOT, ttlMs, mostMs: ttlMs }),
    blockRegion: (fromVCpus) => blocks.block({ ...REGION, fromSize: fromVCpus }),
    blockReservation: (id, ttlMs) => blocks.block({ key: reservationKey(id), ttlMs }),
    sold: ({ size, zone, capacityType, reservationId }) => {
      blocks.worked(reservationId === undefined ? sizeKey(size, zone, capacityType) : reservationKey(reservationId));
      if (capacityType === SPOT) blocks.worked(SPOT);
      if (capacityType === ON_DEMAND) blocks.worked(REGION.key);
    },
    has: (size, zone, capacityType) =>
      (capacityType === SPOT && blocks.has(SPOT)) ||
      (capacityType === ON_DEMAND && blocks.has(REGION.key, size.vCpus)) ||
      blocks.has(familyKey(size, zone, capacityType), size.vCpus) ||
      blocks.has(sizeKey(size, zone, capacityType)),
    hasReservation: (id) => blocks.has(reservationKey(id)),
    version: () => blocks.version(),
  };
};
