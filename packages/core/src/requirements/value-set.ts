import type { ValueSet } from './requirement.ts';

type Excluding = Extract<ValueSet, { kind: 'not-in' }>;

/** No value at all: the label must be missing, or nothing will do. */
export const noValue: ValueSet = { kind: 'in', values: new Set() };
/** Every value. */
export const anyValue: ValueSet = { kind: 'not-in', values: new Set() };

/** Canonical decimal only, so that a bounded set is finite: `5` is five, `05` and `+5` are out of all bounds. */
const integerOf = (text: string): number | undefined => {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : undefined;
};

const isWithin = ({ gte, lte }: Excluding, text: string): boolean => {
  if (gte === undefined && lte === undefined) return true;
  const value = integerOf(text);
  return value !== undefined && value >= (gte ?? -Infinity) && value <= (lte ?? Infinity);
};

/** Whether the value is in the set. */
export const hasValue = (set: ValueSet, value: string): boolean =>
  set.kind === 'in' ? set.values.has(value) : !set.values.has(value) && isWithin(set, value);

/**
 * All values but some, within bounds, in canonical form: exclusions that the bounds make already are dropped, an empty
 * range is `noValue`.
 */
export const allBut = (
  excluded: Iterable<string>,
  bounds: { readonly gte?: number | undefined; readonly lte?: number | undefined } = {},
): ValueSet => {
  const { gte, lte } = bounds;
  const open: Excluding = {
    kind: 'not-in',
    values: new Set(),
    ...(gte === undefined ? {} : { gte }),
    ...(lte === undefined ? {} : { lte }),
  };
  const values = new Set([...excluded].filter((value) => isWithin(open, value)));
  const range = (lte ?? Number.MAX_SAFE_INTEGER) - (gte ?? Number.MIN_SAFE_INTEGER) + 1;
  return values.size >= range ? noValue : { ...open, values };
};

const largest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const smallest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

/** The values that both sets have. */
export const intersection = (a: ValueSet, b: ValueSet): ValueSet => {
  if (a.kind === 'in') return { kind: 'in', values: new Set([...a.values].filter((value) => hasValue(b, value))) };
  if (b.kind === 'in') return intersection(b, a);
  return allBut([...a.values, ...b.values], { gte: largest(a.gte, b.gte), lte: smallest(a.lte, b.lte) });
};

const someHas = (values: ReadonlySet<string>, set: ValueSet): boolean => {
  for (const value of values) if (hasValue(set, value)) return true;
  return false;
};

/** Whether both sets have a value in common; builds no set unless both are bounded. */
export const overlaps = (a: ValueSet, b: ValueSet): boolean => {
  if (a.kind === 'in') return someHas(a.values, b);
  if (b.kind === 'in') return someHas(b.values, a);
  const crossed = intersection(a, b);
  return crossed.kind === 'not-in' || crossed.values.size > 0;
};

/** Whether every value of `inner` is in `outer`. A range counts as endless, so a finite `outer` never has all of it. */
export const containsAll = (outer: ValueSet, inner: ValueSet): boolean => {
  if (inner.kind === 'in') return [...inner.values].every((value) => hasValue(outer, value));
  if (outer.kind === 'in' || someHas(outer.values, inner)) return false;
  return (inner.gte ?? -Infinity) >= (outer.gte ?? -Infinity) && (inner.lte ?? Infinity) <= (outer.lte ?? Infinity);
};

/** Whether no value is in the set, as far as that is known. */
export const isEmptySet = (set: ValueSet): boolean => set.kind === 'in' && set.values.size === 0;
