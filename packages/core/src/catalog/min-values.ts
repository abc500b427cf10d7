import { admits } from '../requirements/index.ts';
import type { Requirement, Requirements } from '../requirements/index.ts';
import type { InstanceType } from './instance-type.ts';

/** A key for which the instance types offer fewer distinct values than asked. */
export interface MinValuesShortfall {
  readonly key: string;
  readonly wanted: number;
  readonly found: number;
}

/** How many types, in order, it takes to meet every `minValues`; or the keys for which all types together fall short. */
export type MinValuesAnswer =
  { readonly kind: 'met'; readonly typesNeeded: number } | { readonly kind: 'short'; readonly shortfalls: readonly MinValuesShortfall[] };

/** A key with `minValues`, and the admitted values of it that were seen so far. */
export interface Variety {
  readonly key: string;
  readonly requirement: Requirement;
  readonly wanted: number;
  readonly found: Set<string>;
}

/** The keys with `minValues`, with no value seen yet. */
export const varietiesOf = (requirements: Requirements): readonly Variety[] =>
  [...requirements.values()].flatMap((requirement) => {
    const { key, minValues } = requirement;
    return minValues === undefined ? [] : [{ key, requirement, wanted: minValues, found: new Set<string>() }];
  });

const isVarious = ({ wanted, found }: Variety): boolean => found.size >= wanted;

/** Adds the values of one more type. Returns whether a variety that was still short gained one. */
export const addVariety = (varieties: readonly Variety[], type: InstanceType): boolean => {
  let isNeeded = false;
  for (const variety of varieties) {
    const { key, requirement, found } = variety;
    const own = type.requirements.get(key)?.values;
    if (own?.kind !== 'in') continue;
    const before = found.size;
    const wasShort = !isVarious(variety);
    for (const value of own.values) if (admits(requirement, value)) found.add(value);
    isNeeded ||= wasShort && found.size > before;
  }
  return isNeeded;
};

/**
 * Walks the types in order and counts distinct values per key with `minValues`. No such key: met with no type at all.
 * Differs: the original also counts values that the requirement itself does not admit.
 */
export const minValuesOf = (requirements: Requirements, types: Iterable<InstanceType>): MinValuesAnswer => {
  const varieties = varietiesOf(requirements);
  if (varieties.every(isVarious)) return { kind: 'met', typesNeeded: 0 };
  let walked = 0;
  for (const type of types) {
    walked += 1;
    addVariety(varieties, type);
    if (varieties.every(isVarious)) return { kind: 'met', typesNeeded: walked };
  }
  const shortfalls = varieties.map(({ key, wanted, found }) => ({ key, wanted, found: found.size }));
  return { kind: 'short', shortfalls: shortfalls.filter((shortfall) => shortfall.found < shortfall.wanted) };
};

const atMost = ({ minValues: _, ...requirement }: Requirement, found: number): Requirement =>
  found === 0 ? requirement : { ...requirement, minValues: found };

/** The requirements with each `minValues` lowered to what the types offer; the same object where they offer enough. */
export const relaxMinValues = (requirements: Requirements, types: readonly InstanceType[]): Requirements => {
  const answer = minValuesOf(requirements, types);
  if (answer.kind === 'met') return requirements;
  const relaxed = new Map(requirements);
  for (const { key, found } of answer.shortfalls) {
    const requirement = requirements.get(key);
    if (requirement !== undefined) relaxed.set(key, atMost(requirement, found));
  }
  return relaxed;
};

/**
 * Types that bring values which those before them lack, until every `minValues` is met: as few as a walk from the
 * cheapest on finds.
 */
const neededTypes = (types: readonly InstanceType[], requirements: Requirements): ReadonlySet<InstanceType> => {
  const varieties = varietiesOf(requirements);
  const needed = new Set<InstanceType>();
  for (const type of types) {
    if (varieties.every(isVarious)) break;
    if (addVariety(varieties, type)) needed.add(type);
  }
  return needed;
};

/**
 * At most `most` of the types, in the order of the argument (the cheapest first). Keeps those that `minValues` needs,
 * wherever they stand, and the first of the others. More than `most` only where `minValues` needs more by itself.
 * Differs: the original takes the first `most` and abandons the claim when those happen to lack variety.
 */
export const cheapestVarious = (types: readonly InstanceType[], requirements: Requirements, most: number): readonly InstanceType[] => {
  if (types.length <= most) return types;
  const needed = neededTypes(types, requirements);
  let free = most - needed.size;
  return types.filter((type) => needed.has(type) || free-- > 0);
};
