import { itemAt } from '../../base/index.ts';

/** How many sets are checked for one without a conflict. */
const MOST_SETS_SEEN = 1024;

/** The sum of the weights of a set of preferences, a bit each. */
const weightOf = (weights: readonly number[], set: number): number =>
  weights.reduce((sum, weight, preference) => ((set >> preference) & 1 ? sum + weight : sum), 0);

/** Whether the first set has the heaviest of the preferences in which two sets differ. Those are in order of weight. */
const hasTheHeavier = (set: number, other: number): boolean => {
  const differing = set ^ other;
  return (set & differing & -differing) !== 0;
};

/**
 * The set of preferences with the largest sum of weights that contains none of the conflicts; `least` if none is
 * heavier. A set has a bit for each preference, the heaviest preference first. Of equal sums the one with the heavier
 * preferences.
 *
 * Branches on the preferences of a conflict: a set without it lacks one of them. Checks 1,024 sets at most, which are
 * all sets of ten preferences.
 */
export const heaviestWithout = (conflicts: readonly number[], weights: readonly number[], least: number): number => {
  let best = least;
  let bestWeight = weightOf(weights, least);
  const seen = new Set<number>();
  const visit = (set: number, weight: number): void => {
    if (weight < bestWeight || seen.has(set) || seen.size === MOST_SETS_SEEN) return;
    seen.add(set);
    const conflict = conflicts.find((each) => (each & set) === each);
    if (conflict === undefined) {
      if (weight === bestWeight && !hasTheHeavier(set, best)) return;
      best = set;
      bestWeight = weight;
      return;
    }
    for (let preference = weights.length - 1; preference >= 0; preference--)
      if ((conflict >> preference) & 1) visit(set & ~(1 << preference), weight - itemAt(weights, preference));
  };
  visit(2 ** weights.length - 1, weightOf(weights, 2 ** weights.length - 1));
  return best;
};

/** All sets of so many preferences, the heaviest first. Of equal sums that with the heavier preferences comes first. */
export const setsByWeight = (weights: readonly number[]): readonly number[] =>
  Array.from({ length: 2 ** weights.length }, (_, set) => set).toSorted(
    (a, b) => weightOf(weights, b) - weightOf(weights, a) || (hasTheHeavier(a, b) ? -1 : 1),
  );
