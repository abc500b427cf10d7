import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { compileSelector } from './device-selector.ts';
import { selectedGpu } from './testing/selected-gpu.ts';

/**
 * What Kubernetes 1.35.4 (`k8s.io/dynamic-resource-allocation/cel`) answers about the device below. `unknown`: it has
 * an answer, and we none.
 */
interface RecordedSelectors {
  readonly answered: readonly (readonly [expression: string, answer: boolean | 'error'])[];
  readonly unknown: readonly string[];
}

const recorded = JSON.parse(readFileSync(new URL('recorded-selectors.json', import.meta.url), 'utf8')) as RecordedSelectors;

const answerTo = (expression: string): boolean | 'error' => {
  const answer = compileSelector(expression).selects(selectedGpu);
  return typeof answer === 'boolean' ? answer : 'error';
};

test('a selector has the answer that Kubernetes 1.35.4 gives', () => {
  const answers = recorded.answered.map(([expression]) => [expression, answerTo(expression)] as const);
  expect(answers).toEqual(recorded.answered);
  expect(answers.length).toBeGreaterThan(280);
});

test('a selector with what is not known is refused, and has no other answer', () => {
  expect(recorded.unknown.filter((expression) => answerTo(expression) !== 'error')).toEqual([]);
});
