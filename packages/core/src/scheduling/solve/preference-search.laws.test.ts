import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { heaviestWithout, setsByWeight } from './preference-search.ts';

const bits = (set: number): readonly number[] => Array.from({ length: 16 }, (_, index) => index).filter((index) => (set >> index) & 1);
const sumOf = (weights: readonly number[], set: number): number => bits(set).reduce((sum, index) => sum + (weights[index] ?? 0), 0);

/** Weights in the order of preferences, the heaviest first. */
const weightsUpTo = (maxLength: number): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength }).map((weights) => weights.toSorted((a, b) => b - a));

const questions = weightsUpTo(6).chain((weights) => {
  const set = fc.integer({ min: 0, max: 2 ** weights.length - 1 });
  return fc.record({ weights: fc.constant(weights), conflicts: fc.array(set, { maxLength: 6 }), least: set });
});

test('the sets come by their sum of weights, those with the heavier preferences first where sums are equal', () => {
  fc.assert(
    fc.property(weightsUpTo(5), (weights) => {
      const sets = setsByWeight(weights);
      expect(sets.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2 ** weights.length }, (_, set) => set));
      for (const [index, set] of sets.slice(1).entries()) {
        const before = sets[index] ?? 0;
        const [less, more] = [sumOf(weights, set), sumOf(weights, before)];
        const [first = 0] = bits(set ^ before);
        expect(less < more || (less === more && bits(before).includes(first))).toBe(true);
      }
    }),
  );
});

test('the heaviest set without a conflict is the first of all sets by weight that contains none, if it comes before the least', () => {
  fc.assert(
    fc.property(questions, ({ weights, conflicts, least }) => {
      const sets = setsByWeight(weights);
      const isFree = (set: number): boolean => conflicts.every((conflict) => (conflict & set) !== conflict);
      expect(heaviestWithout(conflicts, weights, least)).toBe(sets.find((set) => set === least || isFree(set)));
    }),
    { numRuns: 1000 },
  );
});

test('with sixteen preferences of one weight that exclude each other, it ends and returns the heaviest alone', () => {
  const weights = Array.from({ length: 16 }, () => 10);
  const pairs = weights.flatMap((_, a) => weights.slice(a + 1).map((__, index) => (1 << a) | (1 << (a + 1 + index))));
  expect(heaviestWithout(pairs, weights, 0)).toBe(1);
});
