import { pricedRegions } from '../data/on-demand-prices.ts';
import { refusal } from '../faults/arm-error.ts';
import { ok, refused } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, Route } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { type PriceItem, priceItemsOf } from './price-items.ts';

const PAGE = 1_000;
const CLAUSE = /^(\w+) eq '([^']*)'$/;

/** OData names the price type `priceType` in filters and `type` in answers. */
const fieldOf = (item: PriceItem, name: string): unknown =>
  new Map<string, unknown>(Object.entries(item)).get(name === 'priceType' ? 'type' : name);

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

/** Region → its meters; built once, because every page of an answer asks for them again. */
type ItemsOf = (region: string) => readonly PriceItem[];

const remembered = (): ItemsOf => {
  const byRegion = new Map<string, readonly PriceItem[]>();
  return (region) => {
    const items = byRegion.get(region) ?? priceItemsOf(region);
    byRegion.set(region, items);
    return items;
  };
};

const itemsFor = (clauses: Clauses, itemsOf: ItemsOf): readonly PriceItem[] => {
  const region = clauses.get('armRegionName');
  const regions = region === undefined ? pricedRegions : pricedRegions.filter((known) => known === region);
  const rest = [...clauses].filter(([name]) => name !== 'armRegionName' && name !== 'currencyCode');
  return regions.flatMap(itemsOf).filter((item) => rest.every(([name, value]) => fieldOf(item, name) === value));
};

const list = (world: ArmWorld, itemsOf: ItemsOf, request: ArmRequest): ArmReply => {
  const clauses = clausesOf(request.query.get('$filter') ?? '');
  if (clauses === undefined) return refused(refusal(400, 'BadRequest', 'Invalid OData parameters supplied'));
  const items = itemsFor(clauses, itemsOf);
  const from = Number(request.query.get('$skip') ?? 0);
  const to = from + (world.pageSize ?? PAGE);
  const Items = items.slice(from, to);
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
export const priceRoutes = (world: ArmWorld): readonly Route[] => {
  const itemsOf = remembered();
  return [
    {
      operation: 'RetailPrices_List',
      method: 'GET',
      path: PRICES_PATH,
      anonymous: true,
      handle: (request) => list(world, itemsOf, request),
    },
  ];
};
