import { describe, expect, test } from '@jest/globals';
import { proposeCommand } from '../command-proposal.ts';
import { NOW, aCluster, aNode, aRunningPod, aPool } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const early = '2026-11-20T08:00:00Z';
const late = '2026-11-20T09:00:00Z';
const notConsolidated = { nodePools: [aPool({ disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] } })] };

describe('drift', () => {
  test('the node that drifted first goes first, and a machine for its pods comes before', () => {
    const nodes = [
      aNode('b', { driftedAt: early, pods: [aRunningPod('web', 4)] }),
      aNode('a', { driftedAt: late, pods: [aRunningPod('db', 4)] }),
    ];
    expect(proposeCommand(aContext(aCluster(nodes, notConsolidated))).command).toMatchObject({
      method: 'drift',
      reason: 'Drifted',
      decision: 'replace',
      candidates: [{ node: { name: 'b' } }],
      replacements: [{ pods: [{ metadata: { name: 'web' } }] }],
    });
  });

  test('a node whose replacement has failed waits, and the next one goes', () => {
    const nodes = [
      aNode('b', { driftedAt: early, pods: [aRunningPod('web', 4)] }),
      aNode('a', { driftedAt: late, pods: [aRunningPod('db', 4)] }),
    ];
    const failed = { why: 'replacement-gone', times: 3, untilMs: NOW + 1 };
    const proposed = (nowMs: number) =>
      proposeCommand(aContext(aCluster(nodes, notConsolidated), { nowMs, failedReplacements: new Map([['b', failed]]) }));
    expect(proposed(NOW).command?.candidates[0]?.node.name).toBe('a');
    expect(proposed(NOW).blocked.get('b')).toEqual({ kind: 'replacement-failed', ...failed });
    expect(proposed(NOW + 1).command?.candidates[0]?.node.name).toBe('b');
  });

  test('an empty node goes before all others', () => {
    const nodes = [aNode('b', { driftedAt: early, pods: [aRunningPod('web', 4)] }), aNode('a', { driftedAt: late })];
    expect(proposeCommand(aContext(aCluster(nodes, notConsolidated))).command).toMatchObject({
      decision: 'delete',
      candidates: [{ node: { name: 'a' } }],
    });
  });

  test('pods that fit on other nodes need no new one', () => {
    const nodes = [aNode('b', { driftedAt: early, pods: [aRunningPod('web', 1)] }), aNode('a', { pods: [aRunningPod('db', 2)] })];
    expect(proposeCommand(aContext(aCluster(nodes, notConsolidated))).command).toMatchObject({ decision: 'delete', replacements: [] });
  });

  test('a large node may be replaced by several, at whatever price', () => {
    const nodePools = [aPool({ disruption: { consolidateAfter: 'Never' }, instanceTypes: [...aPool().instanceTypes].slice(0, 2) })];
    const pods = ['p', 'q', 'r'].map((name) => aRunningPod(name, 2));
    const { command } = proposeCommand(aContext(aCluster([aNode('a', { cpus: 8, driftedAt: early, pods })], { nodePools })));
    expect(command?.replacements).toHaveLength(3);
  });

  test('a node whose pods find no place stays, and the next one is evaluated', () => {
    const nodes = [
      aNode('b', { driftedAt: early, pods: [aRunningPod('huge', 64)] }),
      aNode('a', { driftedAt: late, pods: [aRunningPod('db', 4)] }),
    ];
    const { command, blocked } = proposeCommand(aContext(aCluster(nodes, notConsolidated)));
    expect(command?.candidates[0]?.node.name).toBe('a');
    expect(blocked.get('b')).toEqual({ kind: 'unschedulable-pods', pods: ['default/huge'], isDrifted: true });
  });

  test('where a grace period ends every drain, no pod keeps its node', () => {
    const pods = [aRunningPod('job', 4, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } })];
    const nodes = [aNode('a', { driftedAt: early, terminationGracePeriod: '1h', pods })];
    expect(proposeCommand(aContext(aCluster(nodes, notConsolidated))).command?.candidates[0]?.node.name).toBe('a');
  });

  test('the budget for drift is kept', () => {
    const nodePools = [aPool({ disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0', reasons: ['Drifted'] }] } })];
    const { command, blocked } = proposeCommand(
      aContext(aCluster([aNode('a', { driftedAt: early, pods: [aRunningPod('web')] })], { nodePools })),
    );
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toMatchObject({ kind: 'budget', reason: 'Drifted', allowed: 0, disrupting: 0 });
  });
});

describe('a pool that may launch nothing now', () => {
  const closed = (pods: readonly ReturnType<typeof aRunningPod>[]) =>
    aCluster([aNode('a', { driftedAt: early, pods })], { nodePools: [{ ...aPool(), mayLaunch: false }] });

  test('still deletes a node that no pod needs', () => {
    expect(proposeCommand(aContext(closed([]))).command).toMatchObject({ decision: 'delete', candidates: [{ node: { name: 'a' } }] });
  });

  test('keeps a node whose pods would find no other place', () => {
    expect(proposeCommand(aContext(closed([aRunningPod('web', 1)]))).command).toBeUndefined();
  });
});
