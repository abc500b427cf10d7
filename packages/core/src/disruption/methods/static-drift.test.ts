import { describe, expect, test } from '@jest/globals';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import { isStillValid } from '../command-validation.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool } from '../testing/a-cluster.ts';
import type { PoolOptions } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const driftedAt = '2026-11-20T09:00:00Z';
const fixed = (replicas: number, options: PoolOptions = {}): NodePoolView => ({ ...aPool({ replicas, ...options }), mayLaunch: false });
const limitedTo = (nodes: string, view: NodePoolView): NodePoolView => ({
  ...view,
  nodePool: { ...view.nodePool, spec: { ...view.nodePool.spec, limits: { nodes } } },
});
const proposed = (nodes: readonly NodeView[], pool: NodePoolView) => proposeCommand(aContext(aCluster(nodes, { nodePools: [pool] })));

describe('a drifted node of a static pool', () => {
  const nodes = [aNode('a', { driftedAt, pods: [aRunningPod('web', 3)] }), aNode('b')];

  test('is replaced by one of the template, wherever its pods go', () => {
    const { command, blocked } = proposed(nodes, fixed(2));
    expect(command).toMatchObject({
      method: 'static-drift',
      reason: 'Drifted',
      decision: 'replace',
      candidates: [{ node: { name: 'a' } }],
      replacements: [{ pods: [], cheapest: { instanceType: { name: 'cpu-1' } } }],
    });
    expect(blocked.get('b')).toEqual({ kind: 'after-command', method: 'static-drift' });
  });

  test('holds at once, and no longer when the node is as it should be', () => {
    const { command } = proposed(nodes, fixed(2));
    if (command === undefined) throw new Error('There is a command');
    const context = (now: readonly NodeView[]) => aContext(aCluster(now, { nodePools: [fixed(2)] }));
    expect(isStillValid(command, context(nodes)).valid).toBe(true);
    expect(isStillValid(command, context([aNode('a', { pods: [aRunningPod('web', 3)] }), aNode('b')]))).toEqual({
      valid: false,
      why: 'churn',
    });
  });

  test('is followed by the next while it waits for its replacement, as far as the budget goes', () => {
    const both = [aNode('a', { driftedAt, isMarkedForDeletion: true }), aNode('b', { driftedAt }), aNode('new', { isInitialized: false })];
    expect(proposed(both, fixed(2)).command?.candidates[0]?.node.name).toBe('b');
    const oneAtOnce = fixed(2, { disruption: { budgets: [{ nodes: '1' }] } });
    expect(proposed(both, oneAtOnce).blocked.get('b')).toMatchObject({ kind: 'budget', reason: 'Drifted', allowed: 1, disrupting: 1 });
  });

  test('stays while the pool has more nodes than it wants', () => {
    expect(proposed(nodes, fixed(1)).blocked.get('a')).toEqual({ kind: 'surplus', nodePoolName: 'default', nodes: 2, replicas: 1 });
  });

  test('stays where the limit leaves no room beside it', () => {
    const { blocked } = proposed(nodes, limitedTo('2', fixed(2)));
    expect(blocked.get('a')).toEqual({ kind: 'limit', nodePoolName: 'default', resource: 'nodes' });
  });

  test('stays where the replacement of another, though not asked for yet, will take the last room', () => {
    const both = [aNode('a', { driftedAt, isMarkedForDeletion: true }), aNode('b', { driftedAt })];
    expect(proposed(both, limitedTo('3', fixed(2))).blocked.get('b')).toEqual({
      kind: 'limit',
      nodePoolName: 'default',
      resource: 'nodes',
    });
    expect(proposed(both, limitedTo('4', fixed(2))).command?.candidates[0]?.node.name).toBe('b');
  });

  test('stays where the pool has nothing to offer', () => {
    const { blocked } = proposed(nodes, fixed(2, { instanceTypes: [] }));
    expect(blocked.get('a')).toEqual({ kind: 'nothing-offered', nodePoolName: 'default' });
  });

  test('stays while one of its pods has do-not-disrupt', () => {
    const job = aRunningPod('job', 1, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } });
    const { blocked } = proposed([aNode('a', { driftedAt, pods: [job] }), aNode('b')], fixed(2));
    expect(blocked.get('a')).toEqual({ kind: 'do-not-disrupt-pod', pod: 'default/job' });
  });
});
