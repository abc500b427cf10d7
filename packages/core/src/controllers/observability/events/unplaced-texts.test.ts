import { expect, test } from '@jest/globals';
import type { Rejection, RejectionReason } from '../../../scheduling/index.ts';
import { unplacedTexts } from '../decision-log.ts';

const rejected = (name: string, reason: RejectionReason): Rejection => ({ pod: { metadata: { name }, spec: { containers: [] } }, reason });
const invalid = (value: string): RejectionReason => ({ kind: 'invalid-pod', field: 'spec.a', value, problem: 'is wrong' });

test('pods that share a reason share a sentence, and the most common comes first', () => {
  const shared = invalid('x');
  expect(unplacedTexts([rejected('lone', invalid('y')), rejected('a', shared), rejected('b', shared), rejected('c', shared)])).toEqual([
    'Pod default/a cannot be scheduled: spec.a is "x": is wrong (and 2 more like it)',
    'Pod default/lone cannot be scheduled: spec.a is "y": is wrong',
  ]);
});

test('a flood of reasons does not flood the log', () => {
  expect(unplacedTexts(Array.from({ length: 99 }, (_, i) => rejected(`p${i}`, invalid(String(i)))))).toHaveLength(5);
});

test('nothing to report makes no field', () => {
  expect(unplacedTexts([])).toBeUndefined();
});
