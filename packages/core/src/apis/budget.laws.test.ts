import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allowedDisruptions } from './budget.ts';
import type { Budget, NodePool } from './node-pool.ts';

const reason = fc.constantFrom('Underutilized' as const, 'Empty' as const, 'Drifted' as const);
const budget: fc.Arbitrary<Budget> = fc
  .record(
    {
      nodes: fc.oneof(
        fc.nat(200).map(String),
        fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
      ),
      reasons: fc.array(reason),
      window: fc.constantFrom({ schedule: '0 9 * * 1-5', duration: '8h' }, { schedule: '@hourly', duration: '15m' }),
    },
    { requiredKeys: ['nodes'] },
  )
  .map(({ window = {}, ...rest }) => ({ ...rest, ...window }));
const allowed = (budgets: readonly Budget[], nodeCount: number, [why, nowMs]: readonly ['Underutilized' | 'Empty' | 'Drifted', number]) =>
  allowedDisruptions({ spec: { disruption: { budgets } } } as NodePool, why, { nodeCount, nowMs }).allowed;
const moment = fc.tuple(reason, fc.integer({ min: 0, max: 4e12 }));
const count = fc.nat(500);

describe('budgets', () => {
  test('together allow the least of what each allows', () => {
    fc.assert(
      fc.property(fc.array(budget), count, moment, (...[all, nodes, when]) =>
        expect(allowed(all, nodes, when)).toBe(Math.min(...all.map((one) => allowed([one], nodes, when)))),
      ),
    );
  });

  test('allow at least as much of a larger pool', () => {
    fc.assert(
      fc.property(fc.array(budget), count, moment, (...[all, nodes, when]) =>
        expect(allowed(all, nodes + 1, when)).toBeGreaterThanOrEqual(allowed(all, nodes, when)),
      ),
    );
  });

  test('allow nothing once one of them is malformed', () => {
    fc.assert(
      fc.property(fc.array(budget), budget, moment, (...[all, one, when]) =>
        expect(allowed([...all, { ...one, nodes: '-1' }], 100, when)).toBe(0),
      ),
    );
  });
});
