import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../repository.ts';
import { acceptedDifferences } from './accepted-differences.ts';
import { isUnexplained } from './comparison-report.ts';
import { compareWithOriginal } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import { questionsIn, recordedQuestions } from './question-file.ts';

/** File → the questions of it whose plan was once unsound, or worse than the original's. */
const watched = JSON.parse(readFileSync(repository('tools/data/original/watched.json'), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>;

const verdictsOf = (comparisons: readonly Comparison[], verdict: Comparison['verdict']): readonly string[] =>
  comparisons.filter((each) => each.verdict === verdict && isUnexplained(each)).map(({ id }) => id);

describe.each(Object.entries(watched))('questions of %s whose plan was once worse than the answer of the original', (name, ids) => {
  const comparisons = [...questionsIn({ folder: recordedQuestions, name, ids: new Set(ids) })].map(compareWithOriginal);

  test('every plan is sound', () => expect(verdictsOf(comparisons, 'unsound')).toEqual([]));

  test('no plan places fewer pods, but for accepted differences', () => expect(verdictsOf(comparisons, 'fewer')).toEqual([]));

  test('no plan is dearer, but for accepted differences', () => expect(verdictsOf(comparisons, 'dearer')).toEqual([]));

  test('every accepted difference is there', () => {
    const asked = comparisons.filter(({ id }) => acceptedDifferences[id] !== undefined);
    expect(asked.map(({ id, verdict }) => [id, verdict])).toEqual(asked.map(({ id }) => [id, acceptedDifferences[id]?.verdict]));
  });
});

test('realistic deployments cost less than by the original, and all their pods have a place', () => {
  const comparisons = [...questionsIn({ folder: recordedQuestions, name: 'realistic' })].map(compareWithOriginal);
  expect(comparisons.map(({ id, verdict }) => [id, verdict])).toEqual(comparisons.map(({ id }) => [id, 'cheaper']));
});
