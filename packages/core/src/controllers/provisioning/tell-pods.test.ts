import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@karpenter/runtime';
import type { Pod } from '../../kube/index.ts';
import type { Plan, Rejection } from '../../scheduling/index.ts';
import { tellingPods } from './tell-pods.ts';

const pod: Pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
const limited = (used: number): Rejection['reason'] => ({
  kind: 'no-place',
  pools: [{ nodePoolName: 'general', reason: { kind: 'limit', resource: 'cpu', limit: 4, used, least: 4 } }],
  hints: [],
});

/** What tells one of these rejections from another for the recorder. */
const newsOf = (reason: Rejection['reason']): RecordedEvent['dedupeBy'] => {
  const told: RecordedEvent[] = [];
  const plan = { placements: new Map(), plannedNodes: [], rejections: [{ pod, reason }] } as unknown as Plan;
  const events = { record: (event: RecordedEvent): void => void told.push(event) };
  Array.from(tellingPods({ events }, { plan, explain: () => 'why' }));
  return told[0]?.dedupeBy;
};

describe('a pod that found no place', () => {
  test('gets a new event when the reason changes: at first "no pool is ready" hid the limit for five minutes', () => {
    expect(newsOf({ kind: 'no-node-pools' })).not.toEqual(newsOf(limited(3)));
  });

  test('gets no new event when only a number changed', () => {
    expect(newsOf(limited(3))).toEqual(newsOf(limited(4)));
  });
});
