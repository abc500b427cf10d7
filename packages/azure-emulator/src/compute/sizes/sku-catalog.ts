import { zonesOf } from '../../data/locations.ts';
import { onDemandPricesOf } from '../../data/on-demand-prices.ts';
import { recordedSkusFor, type RecordedSku } from '../../data/recorded-skus.ts';
import { vmSizes } from '../../data/vm-sizes.ts';
import { derivedSku } from './derived-sku.ts';

/** The VM sizes that one location offers. */
export interface SkuCatalog {
  /** By name. */
  readonly skus: readonly RecordedSku[];
  /** Finds by name, ignoring case. */
  find(size: string): RecordedSku | undefined;
}

/** A recorded SKU as it would stand in another location: its zones are those of its own that the location has too. */
const relocated = (sku: RecordedSku, location: string, zones: readonly string[]): RecordedSku => ({
  ...sku,
  locations: [location],
  locationInfo: sku.locationInfo.map((info) => ({ ...info, location, zones: info.zones.filter((zone) => zones.includes(zone)) })),
  restrictions: sku.restrictions ?? [],
});

/** Names of sizes, or all that have a price in the location. */
export type OfferedSizes = 'all' | readonly string[];

/** Whether a size is among those that are offered. */
export const isOffered = (offered: OfferedSizes, size: string): boolean => offered === 'all' || offered.includes(size);

const buildCatalog = (location: string, sizes: OfferedSizes): SkuCatalog => {
  const zones = zonesOf(location);
  const offered = new Set([...onDemandPricesOf(location).keys()].filter((size) => isOffered(sizes, size)));
  const recorded = new Map(recordedSkusFor(location).map((sku) => [sku.name, relocated(sku, location, zones)]));
  const derived = vmSizes.filter((size) => offered.has(size.name) && !recorded.has(size.name));
  const skus = [
    ...[...recorded.values()].filter((sku) => offered.has(sku.name)),
    ...derived.map((size) => derivedSku(size, { location, zones })),
  ];
  const byName = new Map(skus.map((sku) => [sku.name.toLowerCase(), sku]));
  return {
    skus: skus.sort((left, right) => (left.name < right.name ? -1 : 1)),
    find: (size) => byName.get(size.toLowerCase()),
  };
};

const catalogs = new Map<string, SkuCatalog>();

/**
 * The sizes that a location offers, as recorded where they were recorded, the others derived. All are some 1,300
 * records (the default). Built once in a process.
 */
export const skuCatalog = (location: string, sizes: OfferedSizes = 'all'): SkuCatalog => {
  const key = `${location} ${sizes.toString()}`;
  const known = catalogs.get(key) ?? buildCatalog(location, sizes);
  catalogs.set(key, known);
  return known;
};

/** A SKU's capability, or undefined when the SKU does not state it. */
export const capabilityOf = (sku: RecordedSku, name: string): string | undefined =>
  sku.capabilities.find((capability) => capability.name === name)?.value;

/** A SKU's capability that is a number; 0 when the SKU does not state it. */
export const capabilityNumberOf = (sku: RecordedSku, name: string): number => Number(capabilityOf(sku, name) ?? 0);

/** Whether a SKU states that it has a capability. */
export const canDo = (sku: RecordedSku, name: string): boolean => capabilityOf(sku, name)?.toLowerCase() === 'true';
