import { addBit, emptyBitSet } from '../base/index.ts';
import type { BitSet } from '../base/index.ts';

/**
 * Types by how much of one resource they have: `atLeast[i]` are the types with `amounts[i]` or more. "Types with at
 * least x" is one binary search, and no walk over types.
 */
export interface ResourceRanks {
  /** Distinct amounts, ascending. */
  readonly amounts: Float64Array;
  readonly atLeast: readonly BitSet[];
}

/** Ranks of the types whose amounts are given, type by type. */
export const resourceRanks = (amountOfType: Float64Array): ResourceRanks => {
  const amounts = Float64Array.from(new Set(amountOfType)).sort();
  const byAmount = Array.from(amountOfType.keys()).sort((a, b) => (amountOfType[b] ?? 0) - (amountOfType[a] ?? 0));
  const atLeast: BitSet[] = [];
  const running = emptyBitSet(amountOfType.length);
  let next = 0;
  for (let rank = amounts.length - 1; rank >= 0; rank--) {
    for (; next < byAmount.length && amountOfType[byAmount[next] ?? 0] === amounts[rank]; next++) addBit(running, byAmount[next] ?? 0);
    atLeast[rank] = running.slice();
  }
  return { amounts, atLeast };
};

/** Index of the smallest amount that is `wanted` or more; `amounts.length` when all are smaller. */
export const rankOf = ({ amounts }: ResourceRanks, wanted: number): number => {
  let low = 0;
  let high = amounts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((amounts[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};
