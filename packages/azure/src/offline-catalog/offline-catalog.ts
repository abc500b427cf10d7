import type { InstanceType } from '@karpenter/core';
import type { AKSNodeClass } from '../apis/index.ts';
import { facetsOf, instanceTypeCatalog, unavailableOfferings } from '../catalog/index.ts';
import {
  endDateOf,
  type PriceBook,
  SIZE_END_DATES_AS_OF,
  staticPriceRegions,
  STATIC_PRICES_AT_MS,
  staticPricesOf,
} from '../pricing/index.ts';
import { gpuOf, type ResourceSku, type Sku, skuOf, type SkuRejection, skuRejectionOf } from '../skus/index.ts';
import { offlineSkus, offlineZonesOf } from './size-table.ts';

/** A share of the price on demand. Azure's spot prices move and are in no table of this package. */
export const ESTIMATED_SPOT_SHARE = 0.3;

/** A VM size of a region, as far as it is known without Azure. */
export interface OfflineSize {
  /** `Standard_D4s_v5` */
  readonly name: string;
  /** Quota family, `standardDSv5Family`. */
  readonly quotaFamily: string;
  /** vCPUs that a node has: 16 of `Standard_HB120-16rs_v3`. */
  readonly vCpus: number;
  readonly memoryGiB: number;
  readonly gpus: number;
  /** Undefined: no GPU that nodes can use. */
  readonly gpuManufacturer: 'nvidia' | 'amd' | undefined;
  readonly architecture: 'amd64' | 'arm64';
  /** USD, Linux on demand, on `pricesAsOf`. */
  readonly pricePerHour: number;
  /** USD, a share of the price on demand; undefined: not sold as spot. No price that Azure ever quoted. */
  readonly estimatedSpotPricePerHour: number | undefined;
  /** Day on which Azure retires the size, or has: `2027-05-31`. Undefined: none was announced by `endDatesAsOf`. */
  readonly endsOn: string | undefined;
  /** Why Karpenter never uses the size for nodes; undefined: it may. */
  readonly rejection: SkuRejection | undefined;
}

/**
 * What a region sells, from tables of this package. Some sizes that Azure sells are missing, and no subscription gets
 * all of these.
 */
export interface OfflineCatalog {
  readonly location: string;
  /** Day on which the prices on demand were read, `2026-06-18`. */
  readonly pricesAsOf: string;
  /** Day on which end dates of sizes were read, `2026-11-23`. */
  readonly endDatesAsOf: string;
  /** Logical zones, ascending; none where the region has no zones. */
  readonly zones: readonly string[];
  /** By name. */
  readonly sizes: readonly OfflineSize[];
  /**
   * The types that the provider would offer to a pool of the class, by name: of a subscription with quota for
   * everything. Offerings of capacity type `spot` have estimated prices.
   */
  readonly instanceTypes: (nodeClass?: Pick<AKSNodeClass, 'spec' | 'status'>) => readonly InstanceType[];
}

/** Regions with prices of their own, by name. */
export const offlineRegions: readonly string[] = staticPriceRegions;

const DEFAULT_MAX_PODS = 250;
const OVERHEAD_PERCENT = 0.075;

const sizeOf = (sku: Sku, { onDemand, spot }: PriceBook): OfflineSize => ({
  name: sku.name,
  quotaFamily: sku.family,
  vCpus: sku.amount('vCPUsAvailable') || sku.vCpus,
  memoryGiB: sku.memoryGiB,
  gpus: sku.gpus,
  gpuManufacturer: gpuOf(sku.name)?.manufacturer,
  architecture: sku.architecture,
  pricePerHour: onDemand.get(sku.name) ?? 0,
  estimatedSpotPricePerHour: sku.has('LowPriorityCapable') ? spot.get(sku.name) : undefined,
  endsOn: endDateOf(sku.name),
  rejection: skuRejectionOf(sku),
});

const estimatedPricesOf = (location: string): PriceBook => {
  const { onDemand } = staticPricesOf(location);
  return { onDemand, spot: new Map([...onDemand].map(([size, price]) => [size, Number((price * ESTIMATED_SPOT_SHARE).toFixed(5))])) };
};

/** Nothing fails offline, so nothing is ever blocked. */
const clock = { now: () => STATIC_PRICES_AT_MS };

const typesOf = (location: string, records: readonly ResourceSku[], prices: PriceBook): OfflineCatalog['instanceTypes'] => {
  const settings = { location, clusterLabel: 'offline', vmMemoryOverheadPercent: OVERHEAD_PERCENT };
  const catalog = instanceTypeCatalog({ settings, prices, unavailable: unavailableOfferings(clock), clock });
  catalog.setSkus(records);
  return (nodeClass = {}) => catalog.typesFor(facetsOf(nodeClass, DEFAULT_MAX_PODS));
};

/**
 * The catalog of a region (`eastus`), without a call; undefined where this package has no prices of the region. Reads
 * the tables again at each call (some 1,300 sizes).
 */
export const offlineCatalog = (location: string): OfflineCatalog | undefined => {
  if (!offlineRegions.includes(location)) return undefined;
  const prices = estimatedPricesOf(location);
  const records = offlineSkus(location).filter(({ name = '' }) => prices.onDemand.has(name));
  const skus = records.map((record) => skuOf(record, location)).filter((sku): sku is Sku => sku !== undefined);
  return {
    location,
    pricesAsOf: new Date(STATIC_PRICES_AT_MS).toISOString().slice(0, 10),
    endDatesAsOf: SIZE_END_DATES_AS_OF,
    zones: offlineZonesOf(location),
    sizes: skus.map((sku) => sizeOf(sku, prices)),
    instanceTypes: typesOf(location, records, prices),
  };
};
