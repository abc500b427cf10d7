import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { simulate } from '@karpenter/core';
import { repository } from '../repository.ts';
import { acceptedDifferences } from './accepted-differences.ts';
import { isUnexplained } from './comparison-report.ts';
import { compareWithOriginal } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import { questionsIn, recordedQuestions } from './question-file.ts';

type QuestionIds = Readonly<Record<string, readonly string[]>>;

const idsIn = (name: string): QuestionIds =>
  JSON.parse(readFileSync(repository(`tools/data/original/${name}.json`), 'utf8')) as QuestionIds;

/** Files of ids: questions whose plan was once unsound or worse than the original's, and quick ones whose constraints differ. */
const chosen = ['watched', 'sampled'].map(idsIn);

const verdictsOf = (comparisons: readonly Comparison[], verdict: Comparison['verdict']): readonly string[] =>
  comparisons.filter((each) => each.verdict === verdict && isUnexplained(each)).map(({ id }) => id);

/** Files whose questions are all compared, which takes some seconds. */
const whole = ['suite', 'device-allocation'];

const asked: readonly (readonly [name: string, ids: ReadonlySet<string> | undefined])[] = [
  ...['random-pods', 'random-clusters'].map((name) => [name, new Set(chosen.flatMap((each) => each[name] ?? []))] as const),
  ...whole.map((name) => [name, undefined] as const),
];

const compared = asked.map(([name, ids]) => ({
  name,
  ids,
  comparisons: [...questionsIn({ folder: recordedQuestions, name, ...(ids && { ids }) })].map(compareWithOriginal),
}));

describe.each(compared)('questions of $name that have answers of the original', ({ ids, comparisons }) => {
  test('are there', () => expect(comparisons.length).toBeGreaterThanOrEqual(ids?.size ?? 60));

  test('have sound plans', () => expect(verdictsOf(comparisons, 'unsound')).toEqual([]));

  test('have plans that place as many pods, but for accepted differences', () => expect(verdictsOf(comparisons, 'fewer')).toEqual([]));

  test('have plans that cost no more, but for accepted differences', () => expect(verdictsOf(comparisons, 'dearer')).toEqual([]));

  test('have every accepted difference', () => {
    const accepted = comparisons.filter(({ id }) => acceptedDifferences[id] !== undefined);
    expect(accepted.map(({ id, verdict }) => [id, verdict])).toEqual(accepted.map(({ id }) => [id, acceptedDifferences[id]?.verdict]));
  });
});

test('the same pods get devices as by the original, but for an accepted difference', () => {
  const { comparisons = [] } = compared.find(({ name }) => name === 'device-allocation') ?? {};
  const differing = comparisons.filter(({ placedByOne: { ours, original } }) => ours.length + original.length > 0);
  expect(comparisons).toHaveLength(60);
  expect(differing.map(({ id, verdict }) => [id, verdict])).toEqual([['dra-provisioning-000019', 'more']]);
});

const realistic = [...questionsIn({ folder: recordedQuestions, name: 'realistic' })].map(compareWithOriginal);

test('realistic deployments cost less than by the original, and all their pods have a place', () => {
  expect(realistic.map(({ id, verdict }) => [id, verdict])).toEqual(realistic.map(({ id }) => [id, 'cheaper']));
});

test('500 pods without topology have at most 1.3 times the nodes of the original, where each further one would save less than a cent', () => {
  const bare = realistic.find(({ id }) => id === 'real-bare-any-500');
  if (bare === undefined) throw new Error('There is no such question');
  expect(bare.original.plannedNodes).toBeGreaterThan(0);
  expect(bare.ours.plannedNodes).toBeLessThanOrEqual(1.3 * bare.original.plannedNodes);
});

/** Questions whose plan once cost more than without one of their types. */
const cheaperWithout = [
  ['fuzz-0100', 't1-8x2'],
  ['fuzz-0429', 't9-16x8'],
] as const;

test.each(cheaperWithout)('the plan for %s costs no more with the type %s than without it', (id, type) => {
  const [question] = questionsIn({ folder: recordedQuestions, name: 'random-pods', ids: new Set([id]) });
  if (question === undefined) throw new Error(`There is no question ${id}`);
  const { snapshot, policy } = question;
  const nodePools = snapshot.nodePools.map((pool) => ({
    ...pool,
    instanceTypes: pool.instanceTypes.filter(({ name }) => name !== type),
  }));
  const [plan, without] = [simulate(snapshot, policy), simulate({ ...snapshot, nodePools }, policy)];
  expect(plan.rejections.length).toBe(without.rejections.length);
  expect(plan.pricePerHour).toBeLessThanOrEqual(without.pricePerHour);
});
