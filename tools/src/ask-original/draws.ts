import { inputRandom } from '../bench/inputs/random.ts';

/** Random choices. The same seed makes the same ones. */
export interface Draws {
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
  readonly oneOf: <T>(list: readonly T[]) => T;
  /** So many different items of the list, in any order; all of a shorter list. */
  readonly someOf: <T>(list: readonly T[], count: number) => readonly T[];
  /** True in so many of a hundred cases. */
  readonly chance: (percent: number) => boolean;
  /** What `make` makes in so many of a hundred cases; else undefined, which spreads to nothing. */
  readonly maybe: <T>(percent: number, make: () => T) => T | undefined;
  /** So many results of `make`. */
  readonly times: <T>(count: number, make: (index: number) => T) => readonly T[];
}

/** Draws for one question of a seed: those of another question have nothing in common with them. */
export const drawsFor = (seed: number, question: number): Draws => {
  const random = inputRandom(seed * 100_003 + question);
  const chance = (percent: number): boolean => random.below(100) < percent;
  const someOf = <T>(list: readonly T[], count: number): readonly T[] => {
    const left = [...list];
    return Array.from({ length: Math.min(count, list.length) }, () => left.splice(random.below(left.length), 1)).flat();
  };
  return {
    between: (low, high) => low + random.below(high - low + 1),
    oneOf: random.oneOf,
    someOf,
    chance,
    maybe: (percent, make) => (chance(percent) ? make() : undefined),
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
};
