import type { RequirementSpec } from '../apis/index.ts';
import type { Requirement } from './requirement.ts';
import { requirementSpecs } from './requirement-specs.ts';

const SHOWN = 5;

const listOf = (values: readonly string[]): string => {
  const rest = values.length - SHOWN;
  return `[${values.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} others` : ''}]`;
};

/** Bounds in words: whoever wrote `Gt 5` would not know it again as `Gte 6`. */
const bounds: Readonly<Record<string, string>> = { Gte: 'at least', Lte: 'at most' };

const partOf = ({ operator, values }: Pick<RequirementSpec, 'operator' | 'values'>): string => {
  if (values === undefined) return operator;
  const bound = bounds[operator];
  return bound === undefined ? `${operator} ${listOf(values)}` : `${bound} ${values.join()}`;
};

/** A requirement as people read it: `zone In [1, 2]`, `cpu at least 4 and at most 8`; at most five values of a list. */
export const describeRequirement = (requirement: Requirement): string => {
  const specs = requirementSpecs(requirement);
  return specs.length === 0 ? `${requirement.key} anything` : `${requirement.key} ${specs.map(partOf).join(' and ')}`;
};
