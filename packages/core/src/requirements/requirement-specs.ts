import type { RequirementSpec } from '../apis/index.ts';
import { compareText } from '../base/index.ts';
import type { Requirement } from './requirement.ts';
import type { Requirements } from './requirements.ts';

type Entry = Omit<RequirementSpec, 'key' | 'minValues'>;

const sorted = (values: ReadonlySet<string>): readonly string[] => [...values].sort(compareText);

const entriesOf = ({ values, mayBeAbsent }: Requirement): readonly Entry[] => {
  if (values.kind === 'in') {
    if (values.values.size > 0) return [{ operator: 'In', values: sorted(values.values) }];
    // A contradiction has no operator of its own; both halves of one keep it a contradiction.
    return mayBeAbsent ? [{ operator: 'DoesNotExist' }] : [{ operator: 'DoesNotExist' }, { operator: 'Exists' }];
  }
  const entries: Entry[] = [];
  if (values.values.size > 0) entries.push({ operator: 'NotIn', values: sorted(values.values) });
  if (values.gte !== undefined) entries.push({ operator: 'Gte', values: [String(values.gte)] });
  if (values.lte !== undefined) entries.push({ operator: 'Lte', values: [String(values.lte)] });
  const isBounded = values.gte !== undefined || values.lte !== undefined;
  if (!mayBeAbsent && !isBounded) entries.push({ operator: 'Exists' });
  return entries;
};

/** One requirement as NodeClaims write it: as many entries as it takes to say all of it; none when it asks for nothing. */
export const requirementSpecs = (requirement: Requirement): readonly RequirementSpec[] => {
  const { key, minValues } = requirement;
  return entriesOf(requirement).map((entry) => ({ key, ...entry, ...(minValues === undefined ? {} : { minValues }) }));
};

/**
 * The requirements as NodeClaims write them, by key, values in order: the same for the same requirements.
 * Differs: exclusions beside bounds survive; the original loses them.
 */
export const specsOf = (requirements: Requirements): readonly RequirementSpec[] =>
  [...requirements.values()].sort((a, b) => compareText(a.key, b.key)).flatMap(requirementSpecs);

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
