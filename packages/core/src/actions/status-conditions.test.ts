import { describe, expect, test } from '@jest/globals';
import { conditionsAfter } from './status-conditions.ts';
import type { ConditionChange, Conditioned } from './status-conditions.ts';

const rules = { dependencies: ['Launched', 'Registered'] };
const now = Date.parse('2026-01-01T00:00:00Z');
const conditionsWith = (object: Conditioned, ...changes: readonly ConditionChange[]) => conditionsAfter(object, { rules, changes }, now);
const short = (conditions: ReturnType<typeof conditionsWith>) =>
  conditions.map(({ type, status, reason }) => `${type} ${status} ${reason ?? ''}`);
const fresh: Conditioned = { metadata: { name: 'a', generation: 1 } };

describe('the conditions of an object', () => {
  test('begin unknown, with Ready last', () => {
    expect(short(conditionsWith(fresh))).toEqual([
      'Launched Unknown AwaitingReconciliation',
      'Registered Unknown AwaitingReconciliation',
      'Ready Unknown ReconcilingDependents',
    ]);
  });

  test('make it Ready when all that it depends on is true', () => {
    const conditions = conditionsWith(fresh, { type: 'Launched', status: 'True' }, { type: 'Registered', status: 'True' });
    expect(short(conditions).at(-1)).toBe('Ready True Ready');
  });

  test('say that it is not Ready when one is false', () => {
    const conditions = conditionsWith(fresh, { type: 'Registered', status: 'False', reason: 'MultipleNodesFound' });
    expect(short(conditions).at(-1)).toBe('Ready False UnhealthyDependents');
  });

  test('keep Ready last when others come, and lose one that is cleared', () => {
    const conditions = conditionsWith(
      { ...fresh, status: { conditions: conditionsWith(fresh) } },
      { type: 'Drifted', status: 'True', reason: 'NodePoolDrifted' },
    );
    expect(conditions.at(-1)?.type).toBe('Ready');
    expect(short(conditionsWith({ ...fresh, status: { conditions } }, { type: 'Drifted', cleared: true }))).not.toContainEqual(
      expect.stringContaining('Drifted'),
    );
  });

  test('are of the generation that they were judged at, and follow it', () => {
    const first = conditionsWith(fresh, { type: 'Launched', status: 'True' });
    const next = { metadata: { ...fresh.metadata, generation: 2 }, status: { conditions: first } };
    const generations = conditionsWith(next, { type: 'Launched', status: 'True' }).map(({ type, observedGeneration }) => [
      type,
      observedGeneration,
    ]);
    expect(generations).toEqual([
      ['Launched', 2],
      ['Registered', 1],
      ['Ready', 2],
    ]);
  });

  test('are the same list when nothing new is said, so that nothing is written', () => {
    const conditions = conditionsWith(fresh, { type: 'Launched', status: 'True' });
    expect(conditionsWith({ ...fresh, status: { conditions } }, { type: 'Launched', status: 'True' })).toBe(conditions);
  });
});
