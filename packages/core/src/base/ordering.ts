import type { Steps } from './control-flow.ts';

/** Orders texts by UTF-16 code units: the same everywhere, whatever the locale. Ends every sort on a name. */
export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

export const inOrderOfNames = <T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => compareText(a, b)));

/** Sums of prices and amounts that differ by no more are equal: floating-point numbers round. */
export const ROUNDING = 1e-9;

/** The largest value, at least `least`. Unlike `Math.max(...values)`, takes more values than the stack has room for. */
export const highestOf = (values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number => {
  let highest = least;
  for (const value of values) highest = Math.max(highest, value);
  return highest;
};

/** The smallest value, at most `most`; of any number of values. */
export const lowestOf = (values: Iterable<number>, most = Number.POSITIVE_INFINITY): number => {
  let lowest = most;
  for (const value of values) lowest = Math.min(lowest, value);
  return lowest;
};

type Compare<T> = (a: T, b: T) => number;

/** How many items are sorted, or merged, without a pause: about a millisecond. */
const RUN = 2048;

/** Two sorted lists as one; of equal items those of the first list come first. */
function* merging<T>(first: readonly T[], second: readonly T[], compare: Compare<T>): Steps<readonly T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < first.length && j < second.length) {
    const [a, b] = [first[i] as T, second[j] as T];
    const isFirst = compare(a, b) <= 0;
    merged.push(isFirst ? a : b);
    if (isFirst) i++;
    else j++;
    if (merged.length % RUN === 0) yield;
  }
  return merged.concat(i < first.length ? first.slice(i) : second.slice(j));
}

const isInOrder = <T>(first: readonly T[], second: readonly T[], compare: Compare<T>): boolean =>
  first.length === 0 || second.length === 0 || compare(first[first.length - 1] as T, second[0] as T) <= 0;

const areFewAndSorted = <T>(items: readonly T[], compare: Compare<T>): boolean => {
  if (items.length > RUN) return false;
  for (let i = 1; i < items.length; i++) if (compare(items[i - 1] as T, items[i] as T) > 0) return false;
  return true;
};

/**
 * The items in the order that `[...items].sort(compare)` gives them. Few items, and items that are in order already,
 * cost next to nothing.
 */
export function* sorting<T>(items: readonly T[], compare: Compare<T>): Steps<readonly T[]> {
  if (areFewAndSorted(items, compare)) return items;
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += RUN) {
    if (from > 0) yield;
    runs.push(items.slice(from, from + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [first, second] = [runs[i] ?? [], runs[i + 1] ?? []];
      longer.push(isInOrder(first, second, compare) ? first.concat(second) : yield* merging(first, second, compare));
      yield;
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Whether there is nothing to iterate. Makes the first item and no other. */
export const isNone = (items: Iterable<unknown>): boolean => {
  for (const _ of items) return false;
  return true;
};
