import type { Requirement } from './requirement.ts';
import { containsAll, hasValue, intersection, isEmptySet, overlaps } from './value-set.ts';

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

/** Whether some node satisfies both: `!isEmpty(and(a, b))` without building it. */
export const intersects = (a: Requirement, b: Requirement): boolean => (a.mayBeAbsent && b.mayBeAbsent) || overlaps(a.values, b.values);

/** Whether every node that satisfies `a` satisfies `b`, for each value that the label may get; both have the same key. */
export const implies = (a: Requirement, b: Requirement): boolean => (b.mayBeAbsent || !a.mayBeAbsent) && containsAll(b.values, a.values);

/** No node satisfies it, with the label or without. */
export const isEmpty = (requirement: Requirement): boolean => !requirement.mayBeAbsent && isEmptySet(requirement.values);
