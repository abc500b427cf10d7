import { describe, expect, test } from '@jest/globals';
import { bySavings } from '../candidates/candidate.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { Round } from './stillness.ts';
import { aNode, aPool } from '../testing/a-cluster.ts';

const candidates: readonly Candidate[] = ['a', 'b', 'c'].map((name) => ({
  node: aNode(name),
  nodePool: aPool(),
  reschedulablePods: [],
  pricePerHour: 1,
  disruptionCost: 1,
}));

const aRound = (...before: readonly string[]) => new Round(candidates, new Set(before), (all) => [...all].sort(bySavings));

/** What the round remembers when the first so many of its order were evaluated. */
const orderAfter = (round: Round<Candidate>, passes: number): readonly string[] => {
  for (const candidate of round.order.slice(0, passes)) round.add(candidate);
  return [...round.evaluated];
};

describe('a round of passes', () => {
  test('begins with those that it has not come to', () => {
    expect(aRound('a').order.map(({ node }) => node.name)).toEqual(['b', 'c', 'a']);
  });

  test.each<[string, readonly string[], number, readonly string[]]>([
    ['remembers those of earlier passes as well', ['a'], 1, ['a', 'b']],
    ['is over when one is evaluated again: the next begins with it', ['a', 'b'], 2, ['a']],
    ['that had come to all of them begins again', ['a', 'b', 'c'], 2, ['a', 'b']],
    ['forgets nothing as long as no pass runs', ['a'], 0, ['a']],
  ])('%s', (...[, before, passes, expected]) => {
    expect(orderAfter(aRound(...before), passes)).toEqual(expected);
  });
});
