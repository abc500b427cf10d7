import { describe, expect, test } from '@jest/globals';
import { createLedger } from './ledger.ts';

const ledgerOf = (decisions: readonly (readonly [message: string, fields: Readonly<Record<string, unknown>>])[]) => {
  const reported: string[] = [];
  const ledger = createLedger((sentence) => reported.push(sentence));
  for (const [message, fields] of decisions) ledger.note({ atMs: 0, message, fields });
  return { ledger, reported };
};
const aPlan = (fields: Readonly<Record<string, unknown>>) =>
  ['plan computed', { pods: 25, plannedNodes: 0, rejected: 25, pricePerHour: 0, durationMs: 10, ...fields }] as const;

describe('the ledger', () => {
  test('knows what each claim costs and what commands save', () => {
    const { ledger } = ledgerOf([
      ['nodeclaim created', { name: 'a', pricePerHour: 0.3, cheapest: {} }],
      ['command started', { savingsPerHour: 0.2 }],
      ['command started', { savingsPerHour: 0.1 }],
      ['command abandoned', { savingsPerHour: 9 }],
    ]);
    expect([...ledger.prices]).toEqual([['a', 0.3]]);
    expect(ledger.savedPerHour()).toBeCloseTo(0.3);
  });

  test('reports a plan before the claims that were created for it, and other claims before what comes after them', () => {
    const created = (name: string) => ['nodeclaim created', { name, pods: 1, pricePerHour: 0.3, cheapest: {} }] as const;
    const { reported } = ledgerOf([
      created('a'),
      aPlan({ plannedNodes: 1, rejected: 0 }),
      created('b'),
      ['nodeclaim launched', { nodeClaim: 'b' }],
    ]);
    expect(reported.map((line) => line.split(' ', 2).join(' '))).toEqual(['plan: 25', 'create a', 'create b', 'launched b']);
  });

  test('reports a plan without a node once, until something changes', () => {
    const { reported } = ledgerOf([
      aPlan({}),
      aPlan({ durationMs: 12 }),
      aPlan({ pods: 26, rejected: 26 }),
      aPlan({ pods: 26, rejected: 25, plannedNodes: 1 }),
      aPlan({ pods: 26, rejected: 26 }),
    ]);
    expect(reported.map((line) => line.replace(/ → .*;/, ';'))).toEqual([
      'plan: 25 pending pods; 25 pods fit nowhere',
      'plan: 26 pending pods; 26 pods fit nowhere',
      'plan: 26 pending pods; 25 pods fit nowhere',
      'plan: 26 pending pods; 26 pods fit nowhere',
    ]);
  });
});
