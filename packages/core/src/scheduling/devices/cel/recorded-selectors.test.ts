import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { compileSelector } from './device-selector.ts';
import type { SelectedDevice } from './device-selector.ts';

/**
 * What Kubernetes 1.35.4 (`k8s.io/dynamic-resource-allocation/cel`) answers about the device below. `unknown`: it has
 * an answer, and we none.
 */
interface RecordedSelectors {
  readonly answered: readonly (readonly [expression: string, answer: boolean | 'error'])[];
  readonly unknown: readonly string[];
}

const recorded = JSON.parse(readFileSync(new URL('recorded-selectors.json', import.meta.url), 'utf8')) as RecordedSelectors;

const gpu: SelectedDevice = {
  driver: 'gpu.example.com',
  attributes: new Map([
    ['model', { string: 'A100' }],
    ['index', { int: 3 }],
    ['ecc', { bool: true }],
    ['driverVersion', { version: '535.104.5' }],
    ['topology.example.com/numa', { int: 1 }],
  ]),
  capacity: new Map([['memory', 40n * 1024n ** 3n * 10n ** 9n]]),
  allowsMultiple: false,
  likeness: 'gpu',
};

const answerTo = (expression: string): boolean | 'error' => {
  const answer = compileSelector(expression).selects(gpu);
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
