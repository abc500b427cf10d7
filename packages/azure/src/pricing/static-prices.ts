import table from '../../data/static-prices.json' with { type: 'json' };
import type { PriceBook } from './price-book.ts';

const hourly: Readonly<Record<string, string>> = table.hourly;
/** Regions with prices of their own, by name. */
export const staticPriceRegions: readonly string[] = table.regions;
/** When the prices of the table were read. */
export const STATIC_PRICES_AT_MS = Date.UTC(2026, 5, 18);

const PREFIX = 'Standard_';

/** Whether a size (`Standard_D2s_v3`) was sold anywhere when this version was made. */
export const isInPriceTable = (size: string): boolean => size.startsWith(PREFIX) && size.slice(PREFIX.length) in hourly;

const FALLBACK_REGION = 'eastus';

const bookOfColumn = (column: number): PriceBook => {
  const onDemand = new Map<string, number>();
  for (const [size, row] of Object.entries(hourly)) {
    const text = row.split(',')[column];
    if (text !== undefined && text !== '') onDemand.set(`${PREFIX}${size}`, Number(text));
  }
  return { onDemand, spot: onDemand };
};

/** Column of the table → its prices, once they were read. */
const books = new Map<number, PriceBook>();

/**
 * The prices that came with this version: where there is no price API (sovereign and private clouds), and until it has
 * answered. Spot starts at the on-demand price; an unknown region has the prices of eastus. One object for a region: reading
 * it takes 20 ms.
 */
export const staticPricesOf = (location: string): PriceBook => {
  const known = table.regions.indexOf(location.toLowerCase());
  const column = known === -1 ? table.regions.indexOf(FALLBACK_REGION) : known;
  const book = books.get(column) ?? bookOfColumn(column);
  books.set(column, book);
  return book;
};
