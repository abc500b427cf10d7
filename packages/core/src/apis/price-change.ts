import { decimalIn, type NumberRange } from '../base/index.ts';

/** What a NodeOverlay does to a price: dollars an hour that replace it or are added, or percent of it that are added. */
export interface PriceChange {
  readonly kind: 'replace' | 'add' | 'percent';
  readonly amount: number;
}

/** No machine costs as much. */
const DOLLARS: NumberRange = { min: -1e9, max: 1e9 };
const PERCENT_MORE: NumberRange = { min: -100, max: 1e9 };

const kindOf = (text: string): PriceChange['kind'] => {
  if (!/^[+-]/.test(text)) return 'replace';
  return text.endsWith('%') ? 'percent' : 'add';
};

/**
 * Reads the `price` (`0.25`) or `priceAdjustment` (`+0.5`, `-15%`) of a NodeOverlay; undefined when malformed or out of
 * range.
 */
export const priceChangeOf = (text: string): PriceChange | undefined => {
  const kind = kindOf(text);
  const amount = kind === 'percent' ? decimalIn(text.slice(0, -1), PERCENT_MORE) : decimalIn(text, DOLLARS);
  return amount === undefined ? undefined : { kind, amount };
};
