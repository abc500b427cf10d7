import { describe, expect, test } from '@jest/globals';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { aNodeClaim, aNodePool } from '../../testing/objects.ts';
import { consolidatableOf } from './conditions.ts';

const MINUTE = 60_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');

const checkedPool = (parts: { consolidateAfter?: string; replicas?: number } = {}): NodePool =>
  aNodePool('general', {
    spec: {
      disruption: { consolidateAfter: parts.consolidateAfter ?? '5m' },
      ...(parts.replicas === undefined ? {} : { replicas: parts.replicas }),
    },
  });

const initializedClaim = (status: NodeClaim['status'] = {}, initialized: 'True' | 'Unknown' = 'True'): NodeClaim =>
  aNodeClaim('a', {
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    status: { ...status, conditions: [{ type: 'Initialized', status: initialized, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  });

describe('a node may be consolidated', () => {
  test.each([
    [
      'when it has been quiet since initialization for as long as the pool says',
      initializedClaim(),
      checkedPool(),
      5 * MINUTE,
      { kind: 'yes' },
    ],
    ['not before', initializedClaim(), checkedPool(), 2 * MINUTE, { kind: 'later', inMs: 3 * MINUTE }],
    [
      'not so soon after a pod came or went',
      initializedClaim({ lastPodEventTime: '2026-01-01T00:04:00Z' }),
      checkedPool(),
      5 * MINUTE,
      { kind: 'later', inMs: 4 * MINUTE },
    ],
    ['never when the pool says so', initializedClaim(), checkedPool({ consolidateAfter: 'Never' }), 900 * MINUTE, { kind: 'no' }],
    ['never in a static pool', initializedClaim(), checkedPool({ replicas: 1 }), 900 * MINUTE, { kind: 'no' }],
    ['not before it is initialized', initializedClaim({}, 'Unknown'), checkedPool(), 900 * MINUTE, { kind: 'no' }],
  ])('%s', (...[, claim, pool, afterMs, expected]) => {
    expect(consolidatableOf({ claim }, pool, startMs + afterMs)).toEqual(expected);
  });
});

test('a node may not be consolidated so soon after a pod that its claim does not show yet', () => {
  const claim = initializedClaim({ lastPodEventTime: '2026-01-01T00:00:00Z' });
  const after = (seenAfterMs: number) =>
    consolidatableOf({ claim, lastPodEventMs: startMs + seenAfterMs }, checkedPool({ consolidateAfter: '5s' }), startMs + 5000);
  expect([after(4000), after(-4000)]).toEqual([{ kind: 'later', inMs: 4000 }, { kind: 'yes' }]);
});
