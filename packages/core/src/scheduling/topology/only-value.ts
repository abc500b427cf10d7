import type { Requirement } from '../../requirements/index.ts';

/** The one value that a label must have; undefined where there is a choice, or where the label may be missing. */
export const onlyValueOf = ({ values, mayBeAbsent }: Requirement): string | undefined => {
  if (mayBeAbsent || values.kind !== 'in' || values.values.size !== 1) return undefined;
  const [value] = values.values;
  return value;
};
