import type { Requirement } from './requirement.ts';
import { requirementSpecs } from './requirement-specs.ts';

const SHOWN = 5;

const listOf = (values: readonly string[]): string => {
  const rest = values.length - SHOWN;
  return `[${values.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}]`;
};

/** A requirement as people read it: `zone In [1, 2]`, `cpu Gte [4] and Lte [8]`; at most five values of a list. */
export const describeRequirement = (requirement: Requirement): string => {
  const specs = requirementSpecs(requirement);
  if (specs.length === 0) return `${requirement.key} anything`;
  const parts = specs.map(({ operator, values }) => (values === undefined ? operator : `${operator} ${listOf(values)}`));
  return `${requirement.key} ${parts.join(' and ')}`;
};
