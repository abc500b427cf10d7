import { capacityTypes, type CapacityType, labels, type Offering, type Requirements } from '@karpenter/core';
import { aksLabels, azureLabels } from '../apis/index.ts';
import type { PriceBook } from '../pricing/index.ts';
import { hasQuota, type QuotaLeft } from '@karpenter/core/provider-kit';
import type { Sku } from '../skus/index.ts';
import { placementScopeOf, REGIONAL_ZONE, zoneLabelOf } from '../zones/index.ts';
import { oneOfValues } from './label-values.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

/** What the market says at one moment. */
export interface Market {
  readonly location: string;
  readonly prices: PriceBook;
  readonly quota: QuotaLeft;
  readonly unavailable: Pick<UnavailableOfferings, 'has'>;
  /** Absent: any price of spot will do. */
  readonly spotMaxPricePerHour: number | undefined;
}

/** One way to buy a size, before its price is looked up. */
export interface Purchase {
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly isAvailable: boolean;
}

/** Stands in where there is no price: bought last. */
const UNKNOWN_PRICE = 999;

const CAPACITY_TYPES = [capacityTypes.onDemand, capacityTypes.spot] as const;

/** `regular` and `spot` are how AKS calls capacity types. */
export const priorityOf = (capacityType: string): 'regular' | 'spot' => (capacityType === capacityTypes.spot ? 'spot' : 'regular');

/** Azure makes no spot machine for less than its price, and takes it away when that rises above what was offered. */
const isAffordable = (sku: Sku, { prices, spotMaxPricePerHour }: Market): boolean =>
  spotMaxPricePerHour === undefined || (prices.spot.get(sku.name) ?? UNKNOWN_PRICE) <= spotMaxPricePerHour;

/** Spot has a quota of its own, which ARM tells of only when it is used up. */
const isSold = (sku: Sku, capacityType: CapacityType, market: Market): boolean =>
  capacityType === capacityTypes.spot
    ? sku.has('LowPriorityCapable') && isAffordable(sku, market)
    : hasQuota(market.quota, sku.family, sku.vCpus);

/** Every zone of the size and the regional placement, on demand and spot. Regional comes last. */
export const purchasesOf = (sku: Sku, market: Market): readonly Purchase[] =>
  [...sku.zones.map((zone) => zoneLabelOf(market.location, zone)), REGIONAL_ZONE].flatMap((zone) =>
    CAPACITY_TYPES.map((capacityType) => ({
      zone,
      capacityType,
      isAvailable: isSold(sku, capacityType, market) && !market.unavailable.has(sku, zone, capacityType),
    })),
  );

const hasUltraSsd = (sku: Sku, zone: string, location: string): boolean =>
  zone === REGIONAL_ZONE ? sku.has('UltraSSDAvailable') : sku.ultraSsdZones.some((known) => zoneLabelOf(location, known) === zone);

const shared = new Map<string, Requirements>();

/** Few combinations, many offerings: equal requirements are one object. */
const requirementsFor = (zone: string, capacityType: CapacityType, ultraSsd: boolean): Requirements => {
  const key = `${zone} ${capacityType} ${ultraSsd}`;
  const known = shared.get(key);
  if (known !== undefined) return known;
  const all = [
    oneOfValues(labels.capacityType, [capacityType]),
    oneOfValues(aksLabels.scaleSetPriority, [priorityOf(capacityType)]),
    oneOfValues(aksLabels.priority, [priorityOf(capacityType)]),
    oneOfValues(labels.zone, [zone]),
    oneOfValues(azureLabels.placementScope, [placementScopeOf(zone)]),
    oneOfValues(azureLabels.skuUltraSSD, ultraSsd ? ['true', 'false'] : ['false']),
  ];
  const fresh: Requirements = new Map(all.map((requirement) => [requirement.key, requirement]));
  shared.set(key, fresh);
  return fresh;
};

export const offeringOf = (sku: Sku, purchase: Purchase, market: Market): Offering => {
  const { zone, capacityType } = purchase;
  const prices = capacityType === capacityTypes.spot ? market.prices.spot : market.prices.onDemand;
  return {
    ...purchase,
    pricePerHour: prices.get(sku.name) ?? UNKNOWN_PRICE,
    requirements: requirementsFor(zone, capacityType, hasUltraSsd(sku, zone, market.location)),
  };
};
