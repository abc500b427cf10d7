import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Condition } from '../../../kube/index.ts';
import { livenessOf } from './liveness-of.ts';

const MINUTE = 60_000;
const bornMs = Date.parse('2026-01-01T00:00:00Z');
const is = (type: string, lastTransitionTime = '2026-01-01T00:01:00Z'): Condition => ({ type, status: 'True', lastTransitionTime });
const aClaim = (...conditions: readonly Condition[]): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
  status: { conditions },
});

describe('the time that a claim has left', () => {
  test.each([
    ['to launch, five minutes from its creation', aClaim(), 2 * MINUTE, { kind: 'due', inMs: 3 * MINUTE }],
    ['is over when it has not launched by then', aClaim(), 5 * MINUTE, { kind: 'overdue', reason: 'launch_timeout' }],
    ['to register, fifteen minutes from its launch', aClaim(is('Launched')), 6 * MINUTE, { kind: 'due', inMs: 10 * MINUTE }],
    ['is over when no node has come by then', aClaim(is('Launched')), 16 * MINUTE, { kind: 'overdue', reason: 'registration_timeout' }],
    ['has no end once it has registered', aClaim(is('Launched'), is('Registered')), 900 * MINUTE, { kind: 'alive' }],
  ])('%s', (...[, claim, ageMs, expected]) => {
    expect(livenessOf(claim, bornMs + ageMs)).toEqual(expected);
  });
});
