import { describe, expect, test } from '@jest/globals';
import { decisionOf } from './decision.ts';
import { narrate } from './narration.ts';

const line = (message: string, fields: object): string =>
  JSON.stringify({ level: 'INFO', time: '2026-01-01T00:00:00.000Z', message, ...fields });

describe('a line of the controller’s log', () => {
  test('is a decision with its time and its fields', () => {
    expect(decisionOf(line('plan computed', { pods: 5 }))).toEqual({
      atMs: Date.UTC(2026, 0, 1),
      message: 'plan computed',
      fields: { level: 'INFO', pods: 5 },
    });
  });

  test.each(['', 'Node.js v24', '[1]', '{"message":"no time"}', '{"broken'])('%j is none', (text) => {
    expect(decisionOf(text)).toBeUndefined();
  });

  test('reads as a sentence with the reason and the price', () => {
    const decision = decisionOf(
      line('command started', {
        ...{ method: 'emptiness', reason: 'Empty', decision: 'delete', savingsPerHour: 0.768, replacements: [] },
        candidates: [{ node: 'n1', sku: 'Standard_D8s_v5' }],
      }),
    );
    expect(decision && narrate(decision)).toBe('empty: delete n1 (Standard_D8s_v5), saves $0.768/h');
  });

  test('that nobody needs to see has no sentence', () => {
    const decision = decisionOf(line('cache synced', {}));
    expect(decision && narrate(decision)).toBeUndefined();
  });
});
