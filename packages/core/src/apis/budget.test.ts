import { describe, expect, test } from '@jest/globals';
import { aNodePool } from '../testing/objects.ts';
import { allowedDisruptions } from './budget.ts';
import type { Budget, NodePool } from './node-pool.ts';

const poolWithBudgets = (budgets?: readonly Budget[]): NodePool => aNodePool('default', budgets && { spec: { disruption: { budgets } } });
const fridayMorning = Date.parse('2026-11-20T09:30:00Z');
const workingHours = { schedule: '0 9 * * 1-5', duration: '8h' };

describe('how many nodes may go at once', () => {
  test.each<[string, readonly Budget[] | undefined, number, number]>([
    ['a tenth by default', undefined, 20, 2],
    ['a percentage rounds up', [{ nodes: '10%' }], 11, 2],
    ['a single node of a small pool', [{ nodes: '10%' }], 1, 1],
    ['none of an empty pool', [{ nodes: '10%' }], 0, 0],
    ['a plain number', [{ nodes: '5' }], 100, 5],
    ['the least of several', [{ nodes: '50%' }, { nodes: '3' }], 100, 3],
    ['all, where no budget is given', [], 100, Number.POSITIVE_INFINITY],
    ['none while the window is open', [{ nodes: '0', ...workingHours }], 100, 0],
    ['as ever while it is closed', [{ nodes: '0', schedule: '0 20 * * *', duration: '1h' }, { nodes: '7' }], 100, 7],
    [
      'what concerns the reason',
      [
        { nodes: '1', reasons: ['Empty'] },
        { nodes: '9', reasons: ['Drifted', 'Underutilized'] },
      ],
      100,
      9,
    ],
    ['an empty list of reasons concerns none', [{ nodes: '0', reasons: [] }], 100, Number.POSITIVE_INFINITY],
    ['nothing when a number is malformed', [{ nodes: 'many' }], 100, 0],
    ['nothing when a schedule is malformed', [{ nodes: '5', schedule: 'whenever', duration: '1h' }], 100, 0],
    ['nothing when a schedule has no duration', [{ nodes: '5', schedule: '@daily' }], 100, 0],
    ['nothing when another reason’s budget is malformed', [{ nodes: '101%', reasons: ['Empty'] }, { nodes: '5' }], 100, 0],
  ])('%s', (...[, budgets, nodeCount, allowed]) =>
    expect(allowedDisruptions(poolWithBudgets(budgets), 'Drifted', { nodeCount, nowMs: fridayMorning }).allowed).toBe(allowed),
  );
});
