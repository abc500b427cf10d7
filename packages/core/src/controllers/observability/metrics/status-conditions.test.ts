import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { aNodeClaim } from '../../../testing/objects.ts';
import { statusConditions } from './status-conditions.ts';

const { signal } = new AbortController();

const claimWithConditions = (...conditions: readonly Condition[]) =>
  aNodeClaim('a', {
    metadata: { finalizers: ['f'], labels: { 'karpenter.sh/nodepool': 'general', 'test.dev/testnodeclass': 'small' } },
    status: { conditions },
  });
const ofClaim = { karpenter_sh_nodepool: 'general', test_dev_testnodeclass: 'small' };
const waiting: Condition = {
  type: 'Launched',
  status: 'Unknown',
  reason: 'AwaitingReconciliation',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const launched: Condition = { type: 'Launched', status: 'True', reason: 'Launched', lastTransitionTime: '2026-01-01T00:00:07Z' };

const aConditionScrape = async () => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', claimWithConditions(waiting));
  const shell = fakeShell(cluster);
  const { metrics, values, read } = recordingMetrics();
  const controller = statusConditions(shell, { metrics, showsObjects: true });
  const reconcile = () => controller.reconcile({ signal });
  await reconcile();
  return { cluster, shell, values, read, reconcile };
};

describe('a condition that changes', () => {
  test('records one event on its object and counts how long the previous state lasted', async () => {
    const { cluster, shell, values } = await aConditionScrape();
    cluster.seed('NodeClaim', claimWithConditions(launched));
    cluster.seed('NodeClaim', claimWithConditions(launched));
    expect(shell.recorded).toMatchObject([
      {
        subject: { kind: 'NodeClaim', name: 'a' },
        reason: 'Launched',
        message: 'Status condition transitioned, Type: Launched, Status: Unknown -> True, Reason: Launched',
      },
    ]);
    expect(values.get('operator_nodeclaim_status_condition_transitions_total Launched True Launched small general')).toBe(1);
    expect(values.get('operator_nodeclaim_status_condition_transition_seconds Launched Unknown small general')).toBe(7);
  });

  test('of a NodeClass records an event too, with the provider’s kind of NodeClass', async () => {
    const { cluster, shell, values, read } = await aConditionScrape();
    const ready = (status: 'True' | 'False', reason: string) => ({
      type: 'Ready',
      status,
      reason,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const aClass = (condition: Condition) => ({ metadata: { name: 'default' }, status: { conditions: [condition] } });
    cluster.seed('TestNodeClass', aClass(ready('True', 'Ready')));
    cluster.seed('TestNodeClass', aClass(ready('False', 'SubnetNotFound')));
    expect(shell.recorded).toMatchObject([
      { subject: { apiVersion: 'test.dev/v1', kind: 'TestNodeClass', name: 'default' }, reason: 'Ready' },
    ]);
    expect(values.get('operator_testnodeclass_status_condition_transitions_total Ready False SubnetNotFound')).toBe(1);
    expect(read('operator_testnodeclass_status_condition_count')).toMatchObject([{ labels: { reason: 'SubnetNotFound' }, value: 1 }]);
  });

  test('stands in the gauges of its object in its present state, and as long as that has lasted; a former state and a former object do not', async () => {
    const { cluster, shell, read } = await aConditionScrape();
    const of = (reason: string, status: string) => ({ namespace: '', name: 'a', type: 'Launched', status, reason, ...ofClaim });
    expect(read('operator_nodeclaim_status_condition_count')).toEqual([{ labels: of('AwaitingReconciliation', 'Unknown'), value: 1 }]);
    cluster.seed('NodeClaim', claimWithConditions(launched));
    await shell.clock.advance(10_000);
    expect(read('operator_nodeclaim_status_condition_count')).toEqual([{ labels: of('Launched', 'True'), value: 1 }]);
    expect(read('operator_nodeclaim_status_condition_current_status_seconds')).toEqual([{ labels: of('Launched', 'True'), value: 3 }]);
    await cluster.delete('NodeClaim', { name: 'a' });
    await cluster.patch('NodeClaim', { name: 'a' }, { type: 'merge', body: { metadata: { finalizers: [] } } });
    expect(read('operator_nodeclaim_status_condition_count')).toEqual([]);
  });

  test('is counted when it is new, without an event and without a duration; one that is Unknown is not', async () => {
    const { cluster, shell, values } = await aConditionScrape();
    cluster.seed(
      'NodeClaim',
      claimWithConditions(waiting, { type: 'Drifted', status: 'True', reason: 'NodePoolDrifted' }, { ...waiting, type: 'Ready' }),
    );
    expect([...values]).toEqual([['operator_nodeclaim_status_condition_transitions_total Drifted True NodePoolDrifted small general', 1]]);
    expect(shell.recorded).toEqual([]);
  });

  test('of a node is counted if the node is Karpenter’s, without an event', async () => {
    const { cluster, shell, values } = await aConditionScrape();
    const ready = (name: string, labels: Readonly<Record<string, string>>, status: Condition['status']) =>
      cluster.seed('Node', { metadata: { name, labels }, status: { conditions: [{ type: 'Ready', status, reason: 'Kubelet' }] } });
    for (const status of ['False', 'True'] as const) {
      ready('ours', { 'karpenter.sh/nodepool': 'general' }, status);
      ready('other', {}, status);
    }
    expect([...values.keys()].filter((series) => series.includes('transitions_total'))).toEqual([
      'operator_node_status_condition_transitions_total Ready True Kubelet  general ',
    ]);
    expect(shell.recorded).toEqual([]);
  });
});

test('an object that is gone is measured by how long its end took', async () => {
  const { cluster, shell, values, read } = await aConditionScrape();
  await cluster.delete('NodeClaim', { name: 'a' });
  await shell.clock.advance(42_000);
  const still = { labels: { namespace: '', name: 'a', ...ofClaim }, value: 42 };
  expect(read('operator_nodeclaim_termination_current_time_seconds')).toEqual([still]);
  await cluster.patch('NodeClaim', { name: 'a' }, { type: 'merge', body: { metadata: { finalizers: [] } } });
  expect(values.get('operator_nodeclaim_termination_duration_seconds small general')).toBe(42);
});

describe('conditions that somebody invents in the status of a node', () => {
  const nodeWith = (round: number, count: number) => ({
    metadata: { name: 'n', labels: { 'karpenter.sh/nodepool': `pool-${round}` } },
    status: {
      conditions: Array.from({ length: count }, (_, index): Condition => ({
        ...{ type: `T${round}-${index}`, status: round % 2 === 0 ? 'True' : 'False', reason: `because-${round}-${index}` },
      })),
    },
  });

  test('when there are thousands › 64 of the object are shown', async () => {
    const { cluster, values, read } = await aConditionScrape();
    cluster.seed('Node', nodeWith(0, 0));
    cluster.seed('Node', nodeWith(0, 10_000));
    expect([...values.keys()].filter((name) => name.startsWith('operator_node_status_condition_transitions_total'))).toHaveLength(64);
    expect(read('operator_node_status_condition_count')).toHaveLength(64);
  });

  test('when they differ each time › 200 values of a label are shown, the others as "other"', async () => {
    const { cluster, values } = await aConditionScrape();
    for (let round = 0; round < 100; round++) cluster.seed('Node', nodeWith(round, 10));
    const counted = [...values.keys()].filter((name) => name.startsWith('operator_node_status_condition_transitions_total'));
    const typesOf = new Set(counted.map((name) => name.split(' ')[1]));
    expect(typesOf.size).toBe(201);
    expect(typesOf).toContain('other');
    expect(counted.length).toBeLessThan(500);
  });
});
