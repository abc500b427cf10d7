import type { Requirements } from '../requirements/index.ts';
import type { InstanceType } from './instance-type.ts';

/** A key for which the instance types offer fewer distinct values than asked. */
export interface MinValuesShortfall {
  readonly key: string;
  readonly wanted: number;
  readonly found: number;
}

/** How far down a list of types one must go until every `minValues` is met, or the keys for which the whole list falls short. */
export type MinValuesAnswer =
  { readonly kind: 'met'; readonly typesNeeded: number } | { readonly kind: 'short'; readonly shortfalls: readonly MinValuesShortfall[] };

/** Walks the types in order and counts distinct values per key with `minValues`. No such key: met with no type at all. */
export const minValuesOf = (requirements: Requirements, types: Iterable<InstanceType>): MinValuesAnswer => {
  const wanted = [...requirements.values()].flatMap(({ key, minValues }) => (minValues === undefined ? [] : [{ key, minValues }]));
  const found = wanted.map(() => new Set<string>());
  const isMet = (): boolean => wanted.every(({ minValues }, index) => (found[index]?.size ?? 0) >= minValues);
  if (isMet()) return { kind: 'met', typesNeeded: 0 };
  let walked = 0;
  for (const type of types) {
    walked += 1;
    wanted.forEach(({ key }, index) => {
      const own = type.requirements.get(key)?.values;
      if (own?.kind === 'in') for (const value of own.values) found[index]?.add(value);
    });
    if (isMet()) return { kind: 'met', typesNeeded: walked };
  }
  const shortfalls = wanted.map(({ key, minValues }, index) => ({ key, wanted: minValues, found: found[index]?.size ?? 0 }));
  return { kind: 'short', shortfalls: shortfalls.filter((shortfall) => shortfall.found < shortfall.wanted) };
};
