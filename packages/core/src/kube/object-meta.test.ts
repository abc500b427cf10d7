import { describe, expect, test } from '@jest/globals';
import { isConditionTrue, withCondition, withoutCondition } from './object-meta.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const ready = withCondition(undefined, { type: 'Ready', status: 'False', reason: 'Starting' }, noon);

describe('conditions', () => {
  test('a new one carries the time', () =>
    expect(ready).toEqual([{ type: 'Ready', status: 'False', reason: 'Starting', lastTransitionTime: '2026-01-01T12:00:00Z' }]));

  test('the time moves with the status only', () => {
    const renamed = withCondition(ready, { type: 'Ready', status: 'False', reason: 'Waiting' }, noon + 5000);
    expect(renamed[0]).toMatchObject({ reason: 'Waiting', lastTransitionTime: '2026-01-01T12:00:00Z' });
    const turned = withCondition(renamed, { type: 'Ready', status: 'True' }, noon + 5000);
    expect(turned[0]).toEqual({ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T12:00:05Z' });
  });

  test('nothing new is the same list', () => {
    expect(withCondition(ready, { type: 'Ready', status: 'False', reason: 'Starting' }, noon + 5000)).toBe(ready);
    expect(withoutCondition(ready, 'Drifted')).toBe(ready);
  });

  test('others stay as they are', () => {
    const two = withCondition(ready, { type: 'Drifted', status: 'True' }, noon);
    expect(two[0]).toBe(ready[0]);
    expect(isConditionTrue(two, 'Drifted')).toBe(true);
    expect(withoutCondition(two, 'Drifted')).toEqual(ready);
  });
});
