import { expect, test } from '@jest/globals';
import { explain, simulate, snapshotOf } from '@karpenter/core';
import { explainLeftOut, type PlainCluster } from '@karpenter/core/internal';
import fc from 'fast-check';
import { oneOfEachKind } from './one-of-each-kind.ts';
import { fuzzCases, mutationsOf, withinCaseTime } from '../arbitraries/mutations.ts';

/** Plain data whose lists are no lists is refused by its type; the objects in them may be anything. */
const listsOf = (mutated: unknown): PlainCluster => {
  const lists = mutated as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(oneOfEachKind).map((name) => [name, Array.isArray(lists[name]) ? lists[name] : []]),
  ) as unknown as PlainCluster;
};

test('a plan is made from whatever the objects say; what is refused or left out is named', () => {
  fc.assert(
    fc.property(mutationsOf(oneOfEachKind), (mutated) => {
      const plan = withinCaseTime(() => simulate(snapshotOf(listsOf(mutated))));
      for (const rejection of plan.rejections) expect(explain(rejection)).not.toBe('');
      for (const leftOut of plan.leftOut ?? []) expect(explainLeftOut(leftOut)).not.toBe('');
    }),
    fuzzCases(15),
  );
});
