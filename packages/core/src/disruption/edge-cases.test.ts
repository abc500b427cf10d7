import { describe, expect, test } from '@jest/globals';
import { annotations, labels, nodeClaimConditions } from '../apis/index.ts';
import type { NodePoolView, NodeView } from '../cluster/index.ts';
import type { ObjectMeta } from '../kube/index.ts';
import { NOW, aCluster, aNode, aRunningPod, aPool } from './testing/a-cluster.ts';
import { aContext } from './testing/a-context.ts';
import { proposeCommand } from './command-proposal.ts';

const DRIFTED = '2026-11-20T08:00:00Z';
const aMinuteAgo = new Date(NOW - 60_000).toISOString();
const notConsolidated = [aPool({ disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] } })];

const proposeFor = (nodes: readonly NodeView[], nodePools: readonly NodePoolView[] = [aPool()]) =>
  proposeCommand(aContext(aCluster(nodes, { nodePools })));
const taken = (...given: Parameters<typeof proposeFor>): readonly string[] =>
  proposeFor(...given).command?.candidates.map(({ node }) => node.name) ?? [];

const leavingOwned = (kind: string): Partial<ObjectMeta> => ({
  deletionTimestamp: aMinuteAgo,
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'owner', uid: 'owner' }],
});
const annotated = (value: string): Partial<ObjectMeta> => ({
  annotations: { [annotations.doNotDisrupt]: value },
  creationTimestamp: aMinuteAgo,
});
const without = (node: NodeView, label: string): NodeView => {
  const { [label]: _, ...others } = node.labels;
  return { ...node, labels: others };
};

// Cases of `pkg/controllers/disruption` of the original, by its tests at August 2026.
describe('an empty node', () => {
  test('is one whose pod of a Deployment is being deleted', () => {
    expect(taken([aNode('a', { pods: [aRunningPod('web', 1, { metadata: leavingOwned('ReplicaSet') })] })])).toEqual(['a']);
  });

  test('is none while a pod of a StatefulSet is being deleted, because its successor comes', () => {
    const { command } = proposeFor([aNode('a', { cpus: 1, pods: [aRunningPod('db', 1, { metadata: leavingOwned('StatefulSet') })] })]);
    expect(command).toBeUndefined();
  });

  test('goes with do-not-disrupt "false", which asks for nothing', () => {
    expect(taken([aNode('a', { annotations: { [annotations.doNotDisrupt]: 'false' } })])).toEqual(['a']);
  });

  test('stays when a pod left it a second ago, although its condition Consolidatable is still True', () => {
    const node = aNode('a');
    const conditions = [...(node.claim?.status?.conditions ?? []), { type: nodeClaimConditions.consolidatable, status: 'True' as const }];
    const shown = { ...node, ...(node.claim && { claim: { ...node.claim, status: { conditions } } }) };
    const cluster = aCluster([shown], { nodePools: [aPool({ disruption: { consolidateAfter: '5s' } })] });
    const taken = (secondsAgo: number) => proposeCommand(aContext(cluster, { lastPodEventMs: () => NOW - secondsAgo * 1000 })).command;
    expect([taken(1), taken(5)?.method]).toEqual([undefined, 'emptiness']);
  });
});

describe('a node without a label by which its price would be known', () => {
  test.each([labels.capacityType, labels.zone, labels.instanceType])('%s › is not consolidated, and drift replaces it', (label) => {
    const pods = [aRunningPod('web', 1)];
    expect(proposeFor([without(aNode('a', { cpus: 16, pods }), label)]).blocked.get('a')).toEqual({ kind: 'unknown-price' });
    expect(taken([without(aNode('a', { cpus: 16, pods, driftedAt: DRIFTED }), label)], notConsolidated)).toEqual(['a']);
  });
});

describe('consolidation', () => {
  test('takes the node whose pods have settled, and not the one whose pods have just changed', () => {
    const nodes = [
      aNode('busy', { isConsolidatable: false, pods: [aRunningPod('web', 1)] }),
      aNode('quiet', { cpus: 16, pods: [aRunningPod('db', 1)] }),
    ];
    expect(taken(nodes)).toEqual(['quiet']);
  });

  test('moves pods to a node whose pool never consolidates', () => {
    const pools = [aPool(), aPool({ name: 'kept', disruption: { consolidateAfter: 'Never' } })];
    const nodes = [
      aNode('a', { cpus: 1, pods: [aRunningPod('web', 1)] }),
      aNode('b', { nodePoolName: 'kept', pods: [aRunningPod('db', 1)] }),
    ];
    expect(proposeFor(nodes, pools).command).toMatchObject({ decision: 'delete', candidates: [{ node: { name: 'a' } }] });
  });

  test.each([
    ['still holds 3.5 cores while it shrinks to one › stays', '3500m', undefined],
    ['has shrunk to one core › gives way to a cheaper one', '1', 'replace'],
  ])('a node of four cores whose pod %s', (_, cpu, decision) => {
    const pod = aRunningPod('web', 1);
    const containerStatuses = [{ name: 'main', resources: { requests: { cpu } }, allocatedResources: { cpu } }];
    const nodes = [aNode('a', { cpus: 4, pods: [{ ...pod, status: { ...pod.status, containerStatuses } }] })];
    expect(proposeFor(nodes).command?.decision).toBe(decision);
  });

  test('moves pods to a node that is not Karpenter’s', () => {
    const { claim: _, nodePoolName: __, ...foreign } = aNode('foreign', { cpus: 8 });
    expect(proposeFor([aNode('a', { cpus: 1, pods: [aRunningPod('web', 1)] }), foreign]).command).toMatchObject({ decision: 'delete' });
  });

  test('moves a pod without an owner', () => {
    const nodes = [
      aNode('a', { cpus: 1, pods: [aRunningPod('bare', 1, { metadata: { ownerReferences: [] } })] }),
      aNode('b', { pods: [aRunningPod('db', 1)] }),
    ];
    expect(taken(nodes)).toContain('a');
  });

  test('goes on beside a pool that may not launch', () => {
    const pools = [aPool(), { ...aPool({ name: 'broken' }), mayLaunch: false as const }];
    expect(taken([aNode('a', { cpus: 16, pods: [aRunningPod('web', 1)] })], pools)).toEqual(['a']);
  });
});

describe('drift', () => {
  test('goes to the next node, where the pods of the first have no other place', () => {
    const tight = aRunningPod('large', 20);
    const nodes = [
      aNode('a', { cpus: 32, driftedAt: '2026-11-20T07:00:00Z', pods: [tight] }),
      aNode('b', { driftedAt: DRIFTED, pods: [aRunningPod('web', 1)] }),
    ];
    const { command, blocked } = proposeFor(nodes, notConsolidated);
    expect(command?.candidates.map(({ node }) => node.name)).toEqual(['b']);
    expect(blocked.get('a')).toMatchObject({ kind: 'unschedulable-pods', isDrifted: true });
  });

  test('takes a node whose pod has a do-not-disrupt that means nothing', () => {
    const pods = [aRunningPod('web', 1, { metadata: annotated('soon') })];
    expect(taken([aNode('a', { driftedAt: DRIFTED, pods })], notConsolidated)).toEqual(['a']);
  });

  test('waits for the pod that wants to be left alone for longest', () => {
    const waiting = (...durations: readonly string[]) => {
      const pods = durations.map((duration, index) => ({
        ...aRunningPod(`pod-${index}`, 1, { metadata: annotated(duration) }),
        status: { phase: 'Running' as const, startTime: aMinuteAgo },
      }));
      return taken([aNode('a', { driftedAt: DRIFTED, pods })], notConsolidated);
    };
    expect(waiting('30s', '2m')).toEqual([]);
    expect(waiting('30s', '40s')).toEqual(['a']);
  });

  test('takes no node of a static pool with zero replicas: it is to be deleted anyway', () => {
    const pools = [aPool({ replicas: 0 })];
    expect(proposeFor([aNode('a', { driftedAt: DRIFTED })], pools).blocked.get('a')).toMatchObject({ kind: 'surplus', replicas: 0 });
  });
});
