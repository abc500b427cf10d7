import { hasValue } from '../../requirements/index.ts';
import type { ValueSet } from '../../requirements/index.ts';

/** The first value that a set has: of a list by name, of all but some the smallest integer from its lower bound (or zero) on. */
export const firstValueOf = (values: ValueSet): string | undefined => {
  if (values.kind === 'in') return [...values.values].sort()[0];
  let candidate = values.gte ?? Math.min(0, values.lte ?? 0);
  while (values.values.has(String(candidate))) candidate++;
  return hasValue(values, String(candidate)) ? String(candidate) : undefined;
};
