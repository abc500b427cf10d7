import { isInPriceTable } from './static-prices.ts';
import type { PriceBook } from './price-book.ts';

const known = (prices: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map([...prices].filter(([size]) => isInPriceTable(size)));

/**
 * Prices without those of sizes that came out after this version: whether images and drivers run on them nobody has tried, so they are bought
 * last, as all that has no price, until somebody states one.
 * Differs: the original has a list of names; here the price table of the version is the list.
 */
export const pricesOfKnownSizes = ({ onDemand, spot }: PriceBook): PriceBook => ({ onDemand: known(onDemand), spot: known(spot) });
