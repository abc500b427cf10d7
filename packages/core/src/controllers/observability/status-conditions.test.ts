import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../../kube/index.ts';
import type { MetricLabels, Metrics } from '../../ports/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { statusConditions } from './status-conditions.ts';

const { signal } = new AbortController();

/** Metric and labels → the last value, or the sum of what was counted. */
const recordingMetrics = () => {
  const values = new Map<string, number>();
  const keyOf = (name: string, labels: MetricLabels = {}): string => [name, ...Object.values(labels)].join(' ');
  const metrics: Metrics = {
    counter: ({ name }) => ({
      increment: (labels, by = 1) => void values.set(keyOf(name, labels), (values.get(keyOf(name, labels)) ?? 0) + by),
    }),
    gauge: ({ name }) => ({ set: (value, labels) => void values.set(keyOf(name, labels), value) }),
    histogram: ({ name }) => ({ observe: (value, labels) => void values.set(keyOf(name, labels), value) }),
  };
  return { metrics, values };
};

const aClaim = (...conditions: readonly Condition[]) => ({
  metadata: { name: 'a', uid: 'uid-a', finalizers: ['f'] },
  spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
  status: { conditions },
});
const waiting: Condition = {
  type: 'Launched',
  status: 'Unknown',
  reason: 'AwaitingReconciliation',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const launched: Condition = { type: 'Launched', status: 'True', reason: 'Launched', lastTransitionTime: '2026-01-01T00:00:07Z' };

const aScene = async () => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', aClaim(waiting));
  const shell = fakeShell(cluster);
  const { metrics, values } = recordingMetrics();
  const controller = statusConditions(shell, metrics);
  const look = () => controller.reconcile({ signal });
  await look();
  return { cluster, shell, values, look };
};

describe('a condition that changes', () => {
  test('is told on its object, once, and counted with the time that the state before lasted', async () => {
    const { cluster, shell, values, look } = await aScene();
    cluster.seed('NodeClaim', aClaim(launched));
    cluster.seed('NodeClaim', aClaim(launched));
    expect(shell.recorded).toMatchObject([
      {
        subject: { kind: 'NodeClaim', name: 'a' },
        reason: 'Launched',
        message: 'Status condition transitioned, Type: Launched, Status: Unknown -> True, Reason: Launched',
      },
    ]);
    expect(values.get('operator_nodeclaim_status_condition_transitions_total Launched True Launched')).toBe(1);
    expect(values.get('operator_nodeclaim_status_condition_transition_seconds Launched Unknown')).toBe(7);
    await look();
    expect(values.get('operator_nodeclaim_status_condition_count Launched True Launched')).toBe(1);
    expect(values.get('operator_nodeclaim_status_condition_count Launched Unknown AwaitingReconciliation')).toBe(0);
  });

  test('is no news when it is seen for the first time', async () => {
    const { cluster, shell } = await aScene();
    cluster.seed('NodeClaim', aClaim(waiting, { type: 'Drifted', status: 'True', reason: 'NodePoolDrifted' }));
    expect(shell.recorded).toEqual([]);
  });

  test('of a node is counted where the node is Karpenter’s, and told by the node itself', async () => {
    const { cluster, shell, values } = await aScene();
    const ready = (name: string, labels: Readonly<Record<string, string>>, status: Condition['status']) =>
      cluster.seed('Node', { metadata: { name, labels }, status: { conditions: [{ type: 'Ready', status, reason: 'Kubelet' }] } });
    for (const status of ['False', 'True'] as const) {
      ready('ours', { 'karpenter.sh/nodepool': 'general' }, status);
      ready('other', {}, status);
    }
    expect(values.get('operator_node_status_condition_transitions_total Ready True Kubelet')).toBe(1);
    expect(shell.recorded).toEqual([]);
  });
});

test('an object that is gone is measured by how long its end took', async () => {
  const { cluster, shell, values } = await aScene();
  await cluster.delete('NodeClaim', { name: 'a' });
  await shell.clock.advance(42_000);
  await cluster.patch('NodeClaim', { name: 'a' }, { type: 'merge', body: { metadata: { finalizers: [] } } });
  expect(values.get('operator_nodeclaim_termination_duration_seconds')).toBe(42);
});
