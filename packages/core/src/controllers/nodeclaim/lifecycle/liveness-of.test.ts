import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Condition, Node } from '../../../kube/index.ts';
import { aKubeNode, aNodeClaim } from '../../../testing/objects.ts';
import { livenessOf } from './liveness.ts';

const MINUTE = 60_000;
const bornMs = Date.parse('2026-01-01T00:00:00Z');
const trueSince = (type: string, lastTransitionTime = '2026-01-01T00:01:00Z'): Condition => ({ type, status: 'True', lastTransitionTime });
const claimThatIs = (...conditions: readonly Condition[]): NodeClaim =>
  aNodeClaim('a', { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, status: { conditions } });

const nodeReadySince = (ready?: Condition['status'], lastTransitionTime = '2026-01-01T00:03:00Z'): Node =>
  aKubeNode('n', { status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready, lastTransitionTime }] } });
const HOUR = 60 * MINUTE;
const facts = { leadingSinceMs: bornMs, launchMs: 5 * MINUTE, node: undefined, initializationMs: HOUR };

describe('the time that a claim has left', () => {
  test.each([
    ['to launch, five minutes from its creation', claimThatIs(), 2 * MINUTE, { kind: 'due', inMs: 3 * MINUTE }],
    ['is over when it has not launched by then', claimThatIs(), 5 * MINUTE, { kind: 'overdue', reason: 'launch_timeout' }],
    ['to register, fifteen minutes from its launch', claimThatIs(trueSince('Launched')), 6 * MINUTE, { kind: 'due', inMs: 10 * MINUTE }],
    [
      'is over when no node has come by then',
      claimThatIs(trueSince('Launched')),
      16 * MINUTE,
      { kind: 'overdue', reason: 'registration_timeout' },
    ],
    [
      'is over fifteen minutes from its creation where its status states a launch hours ahead',
      claimThatIs(trueSince('Launched', '2026-01-01T09:00:00Z')),
      16 * MINUTE,
      { kind: 'overdue', reason: 'registration_timeout' },
    ],
    [
      'has no end once it was initialized',
      claimThatIs(trueSince('Launched'), trueSince('Registered'), trueSince('Initialized')),
      900 * MINUTE,
      { kind: 'alive' },
    ],
  ])('%s', (...[, claim, ageMs, expected]) => {
    expect(livenessOf(claim, { ...facts, nowMs: bornMs + ageMs })).toEqual(expected);
  });

  test('to launch is what the provider says, where it says so', () => {
    expect(livenessOf(claimThatIs(), { ...facts, launchMs: 20 * MINUTE, nowMs: bornMs + 19 * MINUTE })).toEqual({
      kind: 'due',
      inMs: MINUTE,
    });
  });

  test('is a minute at least for a process that has just begun, in which it may see what has happened', () => {
    const late = { ...facts, leadingSinceMs: bornMs + HOUR };
    const launched = claimThatIs(trueSince('Launched'));
    expect(livenessOf(launched, { ...late, nowMs: bornMs + HOUR + 1000 })).toEqual({ kind: 'due', inMs: 59_000 });
    expect(livenessOf(launched, { ...late, nowMs: bornMs + HOUR + MINUTE })).toEqual({ kind: 'overdue', reason: 'registration_timeout' });
  });
});

describe('the time that a registered node has to become ready for the first time', () => {
  const registered = claimThatIs(trueSince('Launched'), trueSince('Registered', '2026-01-01T00:02:00Z'));
  const at = (minutes: number, node: Node | undefined, initializationMs = HOUR) =>
    livenessOf(registered, { ...facts, nowMs: bornMs + minutes * MINUTE, node, initializationMs });

  test('counts from its registration while it never said how it is', () => {
    expect(at(61, nodeReadySince())).toEqual({ kind: 'due', inMs: MINUTE });
    expect(at(62, nodeReadySince())).toEqual({ kind: 'overdue', reason: 'initialization_timeout' });
  });

  test('counts from when it was ready last', () => {
    expect(at(62, nodeReadySince('False'))).toEqual({ kind: 'due', inMs: MINUTE });
    expect(at(63, nodeReadySince('Unknown'))).toEqual({ kind: 'overdue', reason: 'initialization_timeout' });
  });

  test('is over in time where the clock of its kubelet runs hours ahead', () => {
    expect(at(62, nodeReadySince('False', '2026-01-01T09:00:00Z'))).toEqual({ kind: 'overdue', reason: 'initialization_timeout' });
  });

  test.each<[string, Node | undefined, number]>([
    ['it is ready, and something else is missing: pods may run there', nodeReadySince('True'), HOUR],
    ['it is gone: garbage collection sees to that', undefined, HOUR],
    ['nobody set one', nodeReadySince('False'), Number.POSITIVE_INFINITY],
  ])('has no end when %s', (...[, node, initializationMs]) => {
    expect(at(9000, node, initializationMs)).toEqual({ kind: 'alive' });
  });
});
