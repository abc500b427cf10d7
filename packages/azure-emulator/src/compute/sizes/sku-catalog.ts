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

const buildCatalog = (location: string): SkuCatalog => {
  const zones = zonesOf(location);
  const offered = onDemandPricesOf(location);
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
 * All sizes with a price in the location: those that were recorded as recorded, the others derived. Some 1,300 records,
 * built once in a process.
 */
export const skuCatalog = (location: string): SkuCatalog => {
  const known = catalogs.get(location) ?? buildCatalog(location);
  catalogs.set(location, known);
  return known;
};

/** A SKU's capability, or undefined when the SKU does not state it. */
export const capabilityOf = (sku: RecordedSku, name: string): string | undefined =>
  sku.capabilities.find((capability) => capability.name === name)?.value;

/** A SKU's capability that is a number; 0 when the SKU does not state it. */
export const capabilityNumberOf = (sku: RecordedSku, name: string): number => Number(capabilityOf(sku, name) ?? 0);

/** Whether a SKU states that it has a capability. */
export const canDo = (sku: RecordedSku, name: string): boolean => capabilityOf(sku, name)?.toLowerCase() === 'true';
