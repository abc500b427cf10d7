import type { InstanceType } from '@karpenter/core';
import type { PriceBook } from '../pricing/index.ts';
import type { FamilyQuota } from '../quota/index.ts';
import { type ResourceSku, type Sku, skuOf, skuRejectionOf } from '../skus/index.ts';
import { buildInstanceType, type CatalogSettings } from './build-instance-type.ts';
import { fitsNodeClass } from './fits-node-class.ts';
import type { NodeClassFacets } from './node-class-facets.ts';
import { type Market, type Purchase, purchasesOf } from './offerings.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

/** What the provider could launch, as far as it was told of sizes, prices and quota. */
export interface InstanceTypeCatalog {
  setSkus(records: Iterable<ResourceSku>): void;
  setPrices(prices: PriceBook): void;
  setQuota(quota: FamilyQuota): void;
  readonly prices: PriceBook;
  /** Size name → size, of those that nodes may have. */
  readonly skus: ReadonlyMap<string, Sku>;
  /**
   * Every type for a class, by name, also what is out of stock. The same array until something changed, and then the same object for each
   * type that did not.
   */
  typesFor(facets: NodeClassFacets): readonly InstanceType[];
}

interface Built {
  readonly type: InstanceType;
  readonly signature: string;
}

interface ClassEntry {
  version: string;
  types: readonly InstanceType[];
  built: ReadonlyMap<Sku, Built>;
}

const skuMap = (records: Iterable<ResourceSku>, location: string): ReadonlyMap<string, Sku> => {
  const usable = [...records]
    .map((record) => skuOf(record, location))
    .filter((sku): sku is Sku => sku !== undefined && skuRejectionOf(sku) === undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(usable.map((sku) => [sku.name, sku]));
};

/** What an offering list depends on beside the size: availability of each purchase, and the two prices. */
const signatureOf = (sku: Sku, purchases: readonly Purchase[], { prices }: Market): string =>
  `${purchases.map(({ isAvailable }) => (isAvailable ? '1' : '0')).join('')} ${prices.onDemand.get(sku.name) ?? ''} ${prices.spot.get(sku.name) ?? ''}`;

export interface CatalogInputs {
  readonly settings: CatalogSettings;
  readonly prices: PriceBook;
  readonly unavailable: UnavailableOfferings;
}

/** An empty catalog with prices; sizes come by `setSkus`. */
export const instanceTypeCatalog = ({ settings, prices: firstPrices, unavailable }: CatalogInputs): InstanceTypeCatalog => {
  const classes = new Map<string, ClassEntry>();
  let skus: ReadonlyMap<string, Sku> = new Map();
  let prices = firstPrices;
  let quota: FamilyQuota = new Map();
  let changes = 0;

  const refresh = (facets: NodeClassFacets, before: ClassEntry | undefined): Omit<ClassEntry, 'version'> => {
    const market: Market = { location: settings.location, prices, quota, unavailable };
    const built = new Map<Sku, Built>();
    for (const sku of skus.values()) {
      if (!fitsNodeClass(sku, facets)) continue;
      const purchases = purchasesOf(sku, market);
      const signature = signatureOf(sku, purchases, market);
      const known = before?.built.get(sku);
      const isSame = known?.signature === signature;
      built.set(sku, isSame ? known : { signature, type: buildInstanceType({ sku, facets, settings }, purchases, market) });
    }
    return { built, types: [...built.values()].map(({ type }) => type) };
  };

  return {
    setSkus: (records) => {
      skus = skuMap(records, settings.location);
      changes++;
    },
    setPrices: (fresh) => {
      prices = fresh;
      changes++;
    },
    setQuota: (fresh) => {
      quota = fresh;
      changes++;
    },
    get prices() {
      return prices;
    },
    get skus() {
      return skus;
    },
    typesFor: (facets) => {
      const key = JSON.stringify(facets);
      const version = `${changes} ${unavailable.version()}`;
      const before = classes.get(key);
      if (before?.version === version) return before.types;
      const entry: ClassEntry = { version, ...refresh(facets, before) };
      classes.set(key, entry);
      return entry.types;
    },
  };
};
