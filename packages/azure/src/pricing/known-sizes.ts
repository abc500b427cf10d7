import untried from '../../data/untried-sizes.json' with { type: 'json' };
import type { PriceBook } from './price-book.ts';
import { isEnding } from './size-end-dates.ts';
import { isInPriceTable } from './static-prices.ts';

/** Sold, and in no list of sizes that nodes were tried on. */
const UNTRIED: ReadonlySet<string> = new Set(untried.sizes.map((size) => `Standard_${size}`));
/** Sold for a while, or to single customers. */
const NOT_FOR_ALL = /(_Promo|_SPECIAL|_ADHType\d+)$/;

/** Whether not even a node that came makes the size a choice. */
const isLeaving = (size: string, nowMs: number): boolean => NOT_FOR_ALL.test(size) || isEnding(size, nowMs);

/** Whether a node of the size must have joined before its price counts. */
const needsNode = (size: string): boolean => UNTRIED.has(size) || !isInPriceTable(size);

/** Whether a size competes by its price only after a node of it has joined. */
export const isKnownOnceJoined = (size: string): boolean => needsNode(size) && !isLeaving(size, 0);

/** What is known of sizes. */
export interface SizeKnowledge {
  /** Sizes whose nodes have joined here. Default none. */
  readonly launched?: ReadonlySet<string>;
  /** Default the day of the table of end dates. */
  readonly nowMs?: number;
}

/**
 * Prices without those of sizes that Azure retires, or whose images and drivers are untested. Like all sizes without
 * a price, they are bought last. The first until a node of theirs has joined, or somebody states a price. The sizes
 * that are known are the original's. Differs: the original never learns one.
 */
export const pricesOfKnownSizes = ({ onDemand, spot }: PriceBook, { launched = new Set(), nowMs = 0 }: SizeKnowledge = {}): PriceBook => {
  const isKnown = (size: string): boolean => !isLeaving(size, nowMs) && (!needsNode(size) || launched.has(size));
  const known = (prices: ReadonlyMap<string, number>) => new Map([...prices].filter(([size]) => isKnown(size)));
  return { onDemand: known(onDemand), spot: known(spot) };
};
