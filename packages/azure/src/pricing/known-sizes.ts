import untried from '../../data/untried-sizes.json' with { type: 'json' };
import { isInPriceTable } from './static-prices.ts';
import type { PriceBook } from './price-book.ts';

const PREFIX = 'Standard_';
/** Sold, and in no list of sizes that nodes were tried on. */
const UNTRIED: ReadonlySet<string> = new Set(untried.sizes.map((size) => `${PREFIX}${size}`));
/**
 * Series that ended before 2026-11-23. The first NC, ND and NV and NC of version 2 ended in September 2023, NC of
 * version 3 on 2025-09-30, DC of version 2 on 2026-06-30, the confidential children (`_cc_v5`) on 2026-09-01, NV of
 * versions 3 and 4 on 2026-09-30. Source: Azure, "VM size series retirements, capacity growth restrictions, and
 * modernization guidance" (learn.microsoft.com/azure/virtual-machines/sizes/lifecycle/retirements-and-capacity-restrictions).
 */
const ENDED = [
  ...['A\\d+', 'H\\d+m?r?', 'HB60(-\\d+)?rs', 'NC\\d+r?', 'NC\\d+r?s_v[23]', 'ND\\d+r?s', 'NV\\d+', 'NV\\d+s_v3', 'NV\\d+as_v4'],
  ...['DC\\d+s?_v2', '[DE]C\\d+ad?s_cc_v5'],
];
/** Sizes that ended, or are sold for a while or to single customers: not even a node that came makes them a choice. */
const LEAVING = new RegExp(`(_Promo|_SPECIAL|_ADHType\\d+)$|^${PREFIX}(${ENDED.join('|')})$`);

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
