/** Something that a pod prefers. */
export interface Weighted {
  readonly weight: number;
}

const weightOf = (things: readonly Weighted[]): number => things.reduce((sum, { weight }) => sum + weight, 0);

/** All subsets of things that are given the heaviest first: the largest sum of weights first. */
export const subsetsByWeight = <T extends Weighted>(all: readonly T[]): readonly (readonly T[])[] => {
  const subsetOf = (rank: number): readonly T[] => all.filter((_, index) => (rank >> (all.length - 1 - index)) & 1);
  return Array.from({ length: 2 ** all.length }, (_, index) => subsetOf(2 ** all.length - 1 - index)).toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  );
};

/** The subsets that can be had of the largest sum of weights: several where sums are equal, none where not even the empty one can be had. */
export const heaviestSubsets = <T extends Weighted>(
  all: readonly T[],
  canBeHad: (subset: readonly T[]) => boolean,
): readonly (readonly T[])[] => {
  const subsets = subsetsByWeight(all);
  const first = subsets.find(canBeHad);
  return first === undefined ? [] : subsets.filter((each) => weightOf(each) === weightOf(first) && canBeHad(each));
};
