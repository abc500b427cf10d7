import { isOffered, type OfferedSizes } from '../compute/sizes/sku-catalog.ts';
import { pricedRegions } from '../data/on-demand-prices.ts';
import { refusal } from '../faults/arm-error.ts';
import { ok, armRefusalReply } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { type PriceItem, priceItemsOf } from './price-items.ts';

const PAGE = 1_000;
const CLAUSE = /^(\w+) eq '([^']*)'$/;

/** OData names the price type `priceType` in filters and `type` in answers. */
const fieldOf = (item: PriceItem, name: string): unknown => Reflect.get(item, name === 'priceType' ? 'type' : name);

type Clauses = ReadonlyMap<string, string>;

const clausesOf = (filter: string): Clauses | undefined => {
  const clauses = new Map<string, string>();
  for (const text of filter.split(' and ').filter((part) => part !== '')) {
    const [, name, value] = CLAUSE.exec(text.trim()) ?? [];
    if (name === undefined || value === undefined) return undefined;
    clauses.set(name, value);
  }
  return clauses;
};

const itemsFor = (clauses: Clauses): readonly PriceItem[] => {
  const region = clauses.get('armRegionName');
  const regions = region === undefined ? pricedRegions : pricedRegions.filter((known) => known === region);
  const rest = [...clauses].filter(([name]) => name !== 'armRegionName' && name !== 'currencyCode');
  return regions.flatMap(priceItemsOf).filter((item) => rest.every(([name, value]) => fieldOf(item, name) === value));
};

/** Found once in a process, because every page of an answer asks for them again. */
const byFilter = new Map<string, readonly PriceItem[]>();

/** The items of a filter, of the sizes that are offered; undefined where it cannot be read. */
const itemsOf = (filter: string, sizes: OfferedSizes): readonly PriceItem[] | undefined => {
  const clauses = clausesOf(filter);
  const key = `${filter} ${sizes.toString()}`;
  const items = byFilter.get(key) ?? (clauses && itemsFor(clauses).filter((item) => isOffered(sizes, item.armSkuName)));
  if (items !== undefined) byFilter.set(key, items);
  return items;
};

/** What has changed of the list prices since the emulator was started. */
export class PriceChanges {
  #shareOf: (size: string) => number = () => 1;

  /** Sets the share of its list price that each size costs from now on. */
  change(shareOf: (size: string) => number): void {
    this.#shareOf = shareOf;
  }

  priced(item: PriceItem): PriceItem {
    const price = Number((item.retailPrice * this.#shareOf(item.armSkuName)).toFixed(5));
    return { ...item, retailPrice: price, unitPrice: price };
  }
}

interface PriceSource {
  readonly world: ArmWorld;
  readonly sizes: OfferedSizes;
  readonly changes: PriceChanges;
}

const list = ({ world, sizes, changes }: PriceSource, request: ArmRequest): ArmReply => {
  const items = itemsOf(request.query.get('$filter') ?? '', sizes);
  if (items === undefined) return armRefusalReply(refusal(400, 'BadRequest', 'Invalid OData parameters supplied'));
  const from = Number(request.query.get('$skip') ?? 0);
  const to = from + (world.pageSize ?? PAGE);
  const Items = items.slice(from, to).map((item) => changes.priced(item));
  const next = new URLSearchParams(request.query);
  next.set('$skip', String(to));
  return ok({
    BillingCurrency: 'USD',
    CustomerEntityId: 'Default',
    CustomerEntityType: 'Retail',
    Items,
    NextPageLink: to < items.length ? `${world.url}${request.path}?${next.toString()}` : null,
    Count: Items.length,
  });
};

export const PRICES_PATH = '/api/retail/prices';

/** The retail prices API, open to everybody. */
export const priceRoutes = (source: PriceSource): readonly ArmRoute[] => [
  {
    operation: 'RetailPrices_List',
    method: 'GET',
    path: PRICES_PATH,
    anonymous: true,
    handle: (request) => list(source, request),
  },
];
