import { hasValue } from '../../requirements/index.ts';
import type { Requirement, ValueSet } from '../../requirements/index.ts';

/**
 * The first value that a set has: of a list by name, of all but some the smallest integer from its lower bound (or
 * zero) on.
 */
export const firstValueOf = (values: ValueSet): string | undefined => {
  if (values.kind === 'in') return [...values.values].sort()[0];
  let candidate = values.gte ?? Math.min(0, values.lte ?? 0);
  while (values.values.has(String(candidate))) candidate++;
  return hasValue(values, String(candidate)) ? String(candidate) : undefined;
};

/** The one value that a label must have; undefined where there is a choice, or where the label may be missing. */
export const onlyValueOf = ({ values, mayBeAbsent }: Requirement): string | undefined => {
  if (mayBeAbsent || values.kind !== 'in' || values.values.size !== 1) return undefined;
  const [value] = values.values;
  return value;
};
