/**
 * Which values of one label a node may have. `values` and `mayBeAbsent` are kept apart, so that "the label must be
 * missing", "no value is left" and "anything goes" are three different things.
 *
 * Law: `admits(and(a, b), v) = admits(a, v) && admits(b, v)` for every value `v` and for the missing label.
 */
export interface Requirement {
  readonly key: string;
  readonly values: ValueSet;
  /** Whether a node without this label satisfies the requirement (`NotIn`, `DoesNotExist`). */
  readonly mayBeAbsent: boolean;
  /** How many distinct values the chosen instance types must offer for this key. */
  readonly minValues?: number;
}

/**
 * `in`: exactly these (empty: none). `not-in`: all but these, and within the integer bounds where given (a non-integer
 * value is out of bounds).
 */
export type ValueSet =
  | { readonly kind: 'in'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'not-in'; readonly values: ReadonlySet<string>; readonly gte?: number; readonly lte?: number };

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

export const hasValue = (set: ValueSet, value: string): boolean =>
  set.kind === 'in' ? set.values.has(value) : !set.values.has(value) && isWithin(set, value);

interface Bounds {
  readonly gte?: number | undefined;
  readonly lte?: number | undefined;
}

/** How many integers are within the bounds. */
const rangeOf = ({ gte = Number.MIN_SAFE_INTEGER, lte = Number.MAX_SAFE_INTEGER }: Bounds): number => lte - gte + 1;

/**
 * All values but some, within bounds, in canonical form: exclusions that the bounds make already are dropped, an empty
 * range is `noValue`.
 */
export const allBut = (excluded: Iterable<string>, bounds: Bounds = {}): ValueSet => {
  const { gte, lte } = bounds;
  const open: Excluding = {
    kind: 'not-in',
    values: new Set(),
    ...(gte === undefined ? {} : { gte }),
    ...(lte === undefined ? {} : { lte }),
  };
  const values = new Set([...excluded].filter((value) => isWithin(open, value)));
  return values.size >= rangeOf(bounds) ? noValue : { ...open, values };
};

const largest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const smallest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

const tighter = (a: Bounds, b: Bounds): Bounds => ({ gte: largest(a.gte, b.gte), lte: smallest(a.lte, b.lte) });

/** The values that both sets have. */
const intersection = (a: ValueSet, b: ValueSet): ValueSet => {
  if (a.kind === 'in') return { kind: 'in', values: new Set([...a.values].filter((value) => hasValue(b, value))) };
  if (b.kind === 'in') return intersection(b, a);
  return allBut([...a.values, ...b.values], tighter(a, b));
};

/**
 * The values that all sets have, as `intersection` of one after another gives them. O(values of all sets): what is
 * excluded is gathered before a set is built of it.
 */
const intersectionOf = (sets: readonly ValueSet[]): ValueSet => {
  const listed = sets.filter(({ kind }) => kind === 'in');
  const excluding = sets.filter((set) => set.kind === 'not-in');
  const excluded = excluding.flatMap(({ values }) => [...values]);
  return [...listed, allBut(excluded, excluding.reduce<Bounds>(tighter, {}))].reduce(intersection);
};

const someHas = (values: ReadonlySet<string>, set: ValueSet): boolean => {
  for (const value of values) if (hasValue(set, value)) return true;
  return false;
};

/** Whether both sets have a value in common. Builds a set only if both exclude values and their bounds leave few. */
const overlaps = (a: ValueSet, b: ValueSet): boolean => {
  if (a.kind === 'in') return someHas(a.values, b);
  if (b.kind === 'in') return someHas(b.values, a);
  if (rangeOf(tighter(a, b)) > a.values.size + b.values.size) return true;
  const crossed = intersection(a, b);
  return crossed.kind === 'not-in' || crossed.values.size > 0;
};

/** Whether every value of `inner` is in `outer`. A range counts as endless, so a finite `outer` never has all of it. */
const containsAll = (outer: ValueSet, inner: ValueSet): boolean => {
  if (inner.kind === 'in') return [...inner.values].every((value) => hasValue(outer, value));
  if (outer.kind === 'in' || someHas(outer.values, inner)) return false;
  return (inner.gte ?? -Infinity) >= (outer.gte ?? -Infinity) && (inner.lte ?? Infinity) <= (outer.lte ?? Infinity);
};

/** Whether no value is in the set, as far as that is known. */
const isEmptySet = (set: ValueSet): boolean => set.kind === 'in' && set.values.size === 0;

/** Whether a node with this value of the label satisfies the requirement; undefined stands for the missing label. */
export const admits = (requirement: Requirement, value: string | undefined): boolean =>
  value === undefined ? requirement.mayBeAbsent : hasValue(requirement.values, value);

const largerOf = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);

/** Both requirements at once; they are about the same key. The larger `minValues` counts. */
export const and = (a: Requirement, b: Requirement): Requirement => {
  const minValues = largerOf(a.minValues, b.minValues);
  return {
    key: a.key,
    values: intersection(a.values, b.values),
    mayBeAbsent: a.mayBeAbsent && b.mayBeAbsent,
    ...(minValues === undefined ? {} : { minValues }),
  };
};

/** All requirements at once; they are about the same key. Equal to `and` of one after another, but O(values of all). */
export const andAll = (first: Requirement, others: readonly Requirement[]): Requirement => {
  const all = [first, ...others];
  const minValues = all.map((each) => each.minValues).reduce(largerOf, undefined);
  return {
    key: first.key,
    values: intersectionOf(all.map(({ values }) => values)),
    mayBeAbsent: all.every(({ mayBeAbsent }) => mayBeAbsent),
    ...(minValues === undefined ? {} : { minValues }),
  };
};

/** Whether some node satisfies both: `!isEmpty(and(a, b))` without building it. */
export const intersects = (a: Requirement, b: Requirement): boolean => (a.mayBeAbsent && b.mayBeAbsent) || overlaps(a.values, b.values);

/** Whether every node that satisfies `a` satisfies `b`, for each value that the label may get; both have the same key. */
export const implies = (a: Requirement, b: Requirement): boolean => (b.mayBeAbsent || !a.mayBeAbsent) && containsAll(b.values, a.values);

/**
 * Requirements on the same label that admit nothing that this one admits. Together they admit all the rest, except
 * values beside bounds that are no integers.
 */
export const opposites = ({ key, values, mayBeAbsent }: Requirement): readonly Requirement[] => {
  const sets: ValueSet[] = [];
  if (values.kind === 'in') sets.push(allBut(values.values));
  else {
    sets.push({ kind: 'in', values: values.values });
    if (values.gte !== undefined) sets.push(allBut([], { lte: values.gte - 1 }));
    if (values.lte !== undefined) sets.push(allBut([], { gte: values.lte + 1 }));
  }
  return sets.map((set) => ({ key, values: set, mayBeAbsent: !mayBeAbsent }));
};

/** No node satisfies it, with the label or without. */
export const isEmpty = (requirement: Requirement): boolean => !requirement.mayBeAbsent && isEmptySet(requirement.values);

/** The requirement that the label is missing. */
export const absentLabel = (key: string): Requirement => ({ key, values: { kind: 'in', values: new Set() }, mayBeAbsent: true });

/** Whether it admits every value and a missing label. */
export const isUnconstrained = ({ values, mayBeAbsent }: Requirement): boolean =>
  mayBeAbsent && values.kind === 'not-in' && values.values.size === 0 && values.gte === undefined && values.lte === undefined;

/** The label must be there, with one of these values. */
export const inValues = (key: string, values: Iterable<string>): Requirement => ({
  key,
  values: { kind: 'in', values: new Set(values) },
  mayBeAbsent: false,
});
