import { compareText } from '../base/index.ts';
import type { RequirementSpec } from '../apis/index.ts';
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
