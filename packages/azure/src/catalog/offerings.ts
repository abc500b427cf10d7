import { capacityTypes, labels, type Offering, type Requirements } from '@karpenter/core';
import { hasQuota, type QuotaLeft } from '@karpenter/core/provider-kit';
import { aksLabels, azureLabels } from '../apis/index.ts';
import type { PriceBook } from '../pricing/index.ts';
import type { OfferedReservation, ReservationBook } from '../reservations/index.ts';
import type { Sku } from '../skus/index.ts';
import { placementScopeOf, REGIONAL_ZONE, zoneLabelOf } from '../zones/index.ts';
import { oneOfValues } from './label-values.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

/** What purchases depend on, at one moment. */
export interface PurchaseFacts {
  readonly location: string;
  readonly prices: PriceBook;
  readonly quota: QuotaLeft;
  readonly unavailable: Pick<UnavailableOfferings, 'has' | 'hasReservation'>;
  readonly reservations: Pick<ReservationBook, 'ofSize'>;
  /** Absent: any price of spot will do. */
  readonly spotMaxPricePerHour: number | undefined;
}

/** One way to buy a size, before its price is looked up. */
export interface SizePurchase {
  readonly zone: string;
  readonly capacityType: Offering['capacityType'];
  readonly isAvailable: boolean;
  /** With capacity type `reserved`. */
  readonly reservation?: OfferedReservation;
}

/** Stands in where there is no price: bought last. */
const UNKNOWN_PRICE = 999;

/** Reserved capacity is already paid; a small share of the price keeps sizes ordered. */
const RESERVED_SHARE = 1e-6;

const CAPACITY_TYPES = [capacityTypes.onDemand, capacityTypes.spot] as const;

/** `regular` and `spot` are how AKS calls capacity types. */
export const vmPriorityOf = (capacityType: string): 'regular' | 'spot' => (capacityType === capacityTypes.spot ? 'spot' : 'regular');

/** Azure makes no spot machine for less than its price, and takes it away when that rises above what was offered. */
const isAffordable = (sku: Sku, { prices, spotMaxPricePerHour }: PurchaseFacts): boolean =>
  spotMaxPricePerHour === undefined || (prices.spot.get(sku.name) ?? UNKNOWN_PRICE) <= spotMaxPricePerHour;

/** Spot has a quota of its own, which ARM reports only when it is used up. */
const isSold = (sku: Sku, capacityType: Offering['capacityType'], facts: PurchaseFacts): boolean =>
  capacityType === capacityTypes.spot
    ? sku.has('LowPriorityCapable') && isAffordable(sku, facts)
    : hasQuota(facts.quota, sku.family, sku.vCpus);

/** What was reserved took its quota then. */
const reservedOf = (sku: Sku, { reservations, unavailable }: PurchaseFacts): readonly SizePurchase[] =>
  reservations.ofSize(sku.name).map((reservation) => ({
    zone: reservation.zone,
    capacityType: capacityTypes.reserved,
    isAvailable: !unavailable.hasReservation(reservation.id),
    reservation,
  }));

const boughtOf = (sku: Sku, facts: PurchaseFacts): readonly SizePurchase[] =>
  [...sku.zones.map((zone) => zoneLabelOf(facts.location, zone)), REGIONAL_ZONE].flatMap((zone) =>
    CAPACITY_TYPES.map((capacityType) => ({
      zone,
      capacityType,
      isAvailable: isSold(sku, capacityType, facts) && !facts.unavailable.has(sku, zone, capacityType),
    })),
  );

/** Every zone of the size and the regional placement, on demand and spot, regional last; then what is reserved. */
export const purchasesOf = (sku: Sku, facts: PurchaseFacts): readonly SizePurchase[] => [
  ...boughtOf(sku, facts),
  ...reservedOf(sku, facts),
];

const hasUltraSsd = (sku: Sku, { zone, reservation }: SizePurchase, location: string): boolean => {
  // Azure attaches none to a machine out of a reservation.
  if (reservation !== undefined) return false;
  return zone === REGIONAL_ZONE ? sku.has('UltraSSDAvailable') : sku.ultraSsdZones.some((known) => zoneLabelOf(location, known) === zone);
};

const requirementsOf = ({ zone, capacityType, reservation }: SizePurchase, ultraSsd: boolean): Requirements => {
  const all = [
    oneOfValues(labels.capacityType, [capacityType]),
    oneOfValues(aksLabels.scaleSetPriority, [vmPriorityOf(capacityType)]),
    oneOfValues(aksLabels.priority, [vmPriorityOf(capacityType)]),
    oneOfValues(labels.zone, [zone]),
    oneOfValues(azureLabels.placementScope, [placementScopeOf(zone)]),
    oneOfValues(azureLabels.skuUltraSSD, ultraSsd ? ['true', 'false'] : ['false']),
    oneOfValues(azureLabels.capacityReservationId, reservation === undefined ? [] : [reservation.id]),
    oneOfValues(azureLabels.capacityReservationGroup, reservation === undefined ? [] : [reservation.group]),
  ];
  return new Map(all.map((requirement) => [requirement.key, requirement]));
};

const shared = new Map<string, Requirements>();

/** Few combinations, many offerings: equal requirements of what is bought are one object. What is reserved is its own. */
const requirementsFor = (purchase: SizePurchase, ultraSsd: boolean): Requirements => {
  if (purchase.reservation !== undefined) return requirementsOf(purchase, ultraSsd);
  const key = `${purchase.zone} ${purchase.capacityType} ${ultraSsd}`;
  const known = shared.get(key) ?? requirementsOf(purchase, ultraSsd);
  shared.set(key, known);
  return known;
};

const priceOf = (sku: Sku, { capacityType }: SizePurchase, { prices }: PurchaseFacts): number => {
  const pricePerHour = (capacityType === capacityTypes.spot ? prices.spot : prices.onDemand).get(sku.name) ?? UNKNOWN_PRICE;
  return capacityType === capacityTypes.reserved ? pricePerHour * RESERVED_SHARE : pricePerHour;
};

export const offeringOf = (sku: Sku, purchase: SizePurchase, facts: PurchaseFacts): Offering => {
  const { zone, capacityType, isAvailable, reservation } = purchase;
  return {
    ...{ zone, capacityType, isAvailable },
    pricePerHour: priceOf(sku, purchase, facts),
    requirements: requirementsFor(purchase, hasUltraSsd(sku, purchase, facts.location)),
    ...(reservation !== undefined && { reservation: { id: reservation.id, remaining: reservation.remaining } }),
  };
};
