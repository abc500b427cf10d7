import untried from '../../data/untried-sizes.json' with { type: 'json' };
import { isInPriceTable } from './static-prices.ts';
import type { PriceBook } from './price-book.ts';

const PREFIX = 'Standard_';
/** Sold, and in no list of sizes that nodes were tried on. */
const UNTRIED: ReadonlySet<string> = new Set(untried.sizes.map((size) => `${PREFIX}${size}`));
/**
 * Sizes that Azure has retired or sells for a while or to single customers: not even a node that came makes them a
 * choice. The first NC, ND and NV and NC of version 2 ended in September 2023. Source: Azure, "Retired size series"
 * (learn.microsoft.com/azure/virtual-machines).
 */
const LEAVING = /(_Promo|_SPECIAL|_ADHType\d+)$|^Standard_(A\d+|H\d+m?r?|HB60(-\d+)?rs|NC\d+r?|NC\d+r?s_v2|ND\d+r?s|NV\d+)$/;

/** Whether a size competes by its price only after a node of it has joined. */
export const isKnownByTrial = (size: string): boolean => !LEAVING.test(size) && (UNTRIED.has(size) || !isInPriceTable(size));

/** Whether a size may compete by its price. `launched`: sizes whose nodes have joined here. */
const isKnown = (size: string, launched: ReadonlySet<string>): boolean => (isKnownByTrial(size) ? launched.has(size) : !LEAVING.test(size));

const known = (prices: ReadonlyMap<string, number>, launched: ReadonlySet<string>): ReadonlyMap<string, number> =>
  new Map([...prices].filter(([size]) => isKnown(size, launched)));

/**
 * Prices without those of sizes that nobody has tried images and drivers on: they are bought last, as all that has no
 * price, until a node of theirs has joined, or somebody states a price. The sizes that are known are the original's.
 * Differs: the original never learns one.
 */
export const pricesOfKnownSizes = ({ onDemand, spot }: PriceBook, launched: ReadonlySet<string> = new Set()): PriceBook => ({
  onDemand: known(onDemand, launched),
  spot: known(spot, launched),
});
