import { describe, expect, test } from '@jest/globals';
import type { DisruptionReason } from '../../apis/index.ts';
import type { PodDisruptionBudget } from '../../kube/index.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool, candidateNames } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const daemon = aRunningPod('agent', 1, {
  metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'a' }] },
});

describe('emptiness', () => {
  test('all empty nodes go at once, dearest first, and nothing comes in their place', () => {
    const snapshot = aCluster([
      aNode('b'),
      aNode('a', { pods: [daemon] }),
      aNode('busy', { pods: [aRunningPod('web', 4)] }),
      aNode('large', { cpus: 16 }),
    ]);
    expect(proposeCommand(aContext(snapshot)).command).toMatchObject({
      method: 'emptiness',
      reason: 'Empty',
      decision: 'delete',
      candidates: [{ node: { name: 'large' } }, { node: { name: 'a' } }, { node: { name: 'b' } }],
      replacements: [],
      savingsPerHour: 2.4,
    });
  });

  test('only as many go as the budget allows, and nodes that are not ready count against it', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => aNode(name));
    const snapshot = aCluster([...nodes, aNode('ill', { isReady: false, pods: [aRunningPod('web', 4)] })], {
      nodePools: [aPool({ disruption: { budgets: [{ nodes: '3' }] } })],
    });
    const { command, blocked } = proposeCommand(aContext(snapshot));
    expect(candidateNames(command?.candidates)).toEqual(['a', 'b']);
    const outOfBudget = { kind: 'budget', reason: 'Empty', nodePoolName: 'default', allowed: 3, disrupting: 3, budget: { nodes: '3' } };
    expect([...blocked]).toEqual([
      ...['c', 'd'].map((name) => [name, outOfBudget]),
      ['ill', { kind: 'after-command', method: 'emptiness' }],
    ]);
  });

  test.each([
    { size: 10, goes: ['other-1'] },
    { size: 11, goes: ['default-1', 'other-1'] },
  ])(
    'a node that drains counts against a tenth of the $size nodes of its pool for each reason, and against no other pool',
    ({ size, goes }) => {
      const held = aNode('held', { isMarkedForDeletion: true, pods: [aRunningPod('guarded', 4)] });
      const empty = (pool: string, count: number) =>
        Array.from({ length: count }, (_, index) => aNode(`${pool}-${index + 1}`, { nodePoolName: pool }));
      const budget = { nodes: '10%' };
      const nodePools = ['default', 'other'].map((name) => aPool({ name, disruption: { budgets: [budget] } }));
      const context = aContext(aCluster([held, ...empty('default', size - 1), ...empty('other', 4)], { nodePools }));
      const { command, blocked } = proposeCommand(context);
      expect(candidateNames(command?.candidates)).toEqual(goes);
      const left = size === 10 ? 0 : 1;
      const leftFor = (reason: DisruptionReason) => budgetLedger(context, reason).left('default');
      expect((['Empty', 'Drifted', 'Underutilized'] as const).map(leftFor)).toEqual([left, left, left]);
      const kept = { kind: 'budget', reason: 'Empty', nodePoolName: 'default', allowed: 1 + left, disrupting: 1 + left, budget };
      expect(blocked.get('default-2')).toEqual(kept);
    },
  );

  test('by default a tenth of the pool goes, at least one', () => {
    const { nodePool, ...view } = aPool();
    const { disruption: _, ...spec } = nodePool.spec;
    const snapshot = aCluster([aNode('a'), aNode('b')], { nodePools: [{ ...view, nodePool: { ...nodePool, spec } }] });
    expect(candidateNames(proposeCommand(aContext(snapshot)).command?.candidates)).toEqual(['a']);
  });

  test('holds where only empty nodes may be consolidated', () => {
    const snapshot = aCluster([aNode('a')], { nodePools: [aPool({ disruption: { consolidationPolicy: 'WhenEmpty' } })] });
    expect(proposeCommand(aContext(snapshot)).command?.method).toBe('emptiness');
  });

  test('a node with a pod that is cheap to evict is not empty', () => {
    const cheap = aRunningPod('cheap', 1, { spec: { priority: -2_147_483_648 } });
    const snapshot = aCluster([aNode('a', { pods: [cheap] })]);
    expect(proposeCommand(aContext(snapshot)).command?.method).toBe('single-node');
  });

  test('a node is not empty whose unready pod the eviction API lets go, whatever its budget says', () => {
    const pod = aRunningPod('ill', 4);
    const guard: PodDisruptionBudget = {
      metadata: { name: 'guard', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'ill' } }, maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      status: { disruptionsAllowed: 0 },
    };
    const snapshot = aCluster([aNode('a', { pods: [pod] })], { podDisruptionBudgets: [guard] });
    expect(proposeCommand(aContext(snapshot)).command).toBeUndefined();
  });
});
