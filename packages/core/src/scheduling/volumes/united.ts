import { requirementsText, requirementText } from '../../catalog/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { ANYWHERE } from './alternatives.ts';
import type { Alternatives } from './alternatives.ts';

/** Longer alternatives are left as they are: comparing them without one of their keys costs the square of their length. */
const MOST_KEYS = 16;
/** Alternatives that unite after so many rounds are rare, and leaving them apart is sound. */
const MOST_ROUNDS = 8;

const isPlain = ({ values, minValues }: Requirement): boolean =>
  minValues === undefined && (values.kind === 'in' || (values.gte === undefined && values.lte === undefined));

/** The values that all of these sets have; starts with the smallest set. */
const commonValues = (sets: readonly ReadonlySet<string>[]): readonly string[] => {
  const [smallest = new Set<string>(), ...others] = [...sets].sort((a, b) => a.size - b.size);
  return [...smallest].filter((value) => others.every((set) => set.has(value)));
};

/**
 * The requirement that a node meets exactly when it meets one of these, which are about one key; undefined where none
 * can say that.
 */
const eitherOf = (all: readonly Requirement[]): Requirement | undefined => {
  const [first] = all;
  if (first === undefined || !all.every(isPlain)) return undefined;
  const sets = (kind: 'in' | 'not-in'): readonly ReadonlySet<string>[] =>
    all.filter(({ values }) => values.kind === kind).map(({ values }) => values.values);
  const named = new Set(sets('in').flatMap((set) => [...set]));
  const excluding = sets('not-in');
  const mayBeAbsent = all.some((each) => each.mayBeAbsent);
  if (excluding.length > 0) {
    const values = new Set(commonValues(excluding).filter((value) => !named.has(value)));
    return { ...first, mayBeAbsent, values: { kind: 'not-in', values } };
  }
  // No node selector says "one of these values, or no label".
  return mayBeAbsent ? undefined : { ...first, values: { kind: 'in', values: new Set([...named].sort()) } };
};

const isAnything = ({ values, mayBeAbsent }: Requirement): boolean =>
  mayBeAbsent && values.kind === 'not-in' && values.values.size === 0 && values.gte === undefined && values.lte === undefined;

const withoutKey = (alternative: Requirements, key: string): string =>
  Array.from(alternative.values())
    .filter((each) => each.key !== key)
    .map(requirementText)
    .sort()
    .join('\n');

/** The alternatives that say the same but for this key, together. */
const familiesOf = (alternatives: Alternatives, key: string): Iterable<Alternatives> => {
  const families = new Map<string, Requirements[]>();
  for (const alternative of alternatives) {
    const text = withoutKey(alternative, key);
    const family = families.get(text);
    if (family === undefined) families.set(text, [alternative]);
    else family.push(alternative);
  }
  return families.values();
};

const uniteFamily = (family: Alternatives, key: string, current: Set<Requirements>): void => {
  const [first] = family;
  const either = family.length < 2 ? undefined : eitherOf(family.flatMap((each) => each.get(key) ?? []));
  if (first === undefined || either === undefined) return;
  const joined = new Map(first).set(key, either);
  if (isAnything(either)) joined.delete(key);
  for (const each of family) current.delete(each);
  current.add(joined);
};

const byKey = (alternatives: Iterable<Requirements>): ReadonlyMap<string, Alternatives> => {
  const found = new Map<string, Requirements[]>();
  for (const alternative of alternatives) {
    if (alternative.size > MOST_KEYS) continue;
    for (const key of alternative.keys()) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [alternative]);
      else known.push(alternative);
    }
  }
  return found;
};

const distinct = (alternatives: Alternatives): Alternatives => [
  ...new Map(alternatives.map((each) => [requirementsText(each), each])).values(),
];

/**
 * The same alternatives in fewer: "zone 1 or zone 2" is one requirement, so that the cheaper of the two zones is found
 * in one look. Those that stay apart keep their order; what was united comes last. Costs about n log n of what the
 * alternatives say together.
 */
export const united = (alternatives: Alternatives): Alternatives => {
  if (alternatives.length < 2) return alternatives;
  const current = new Set(distinct(alternatives));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = current.size;
    for (const [key, having] of byKey(current)) {
      const left = having.filter((each) => current.has(each));
      for (const family of left.length < 2 ? [] : familiesOf(left, key)) uniteFamily(family, key, current);
    }
    for (const each of current) if (each.size === 0) return ANYWHERE;
    if (current.size === before) break;
  }
  return [...current];
};
