import { describe, expect, test } from '@jest/globals';
import type { RepairPolicy } from '../../cloudprovider/index.ts';
import { timestampOf } from '../../base/index.ts';
import type { Condition, Node } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { aKubeNode, nodeClassRef } from '../../testing/objects.ts';
import { areTooManyUnhealthy, health } from './health.ts';

const { signal } = new AbortController();
const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const repairPolicies: readonly RepairPolicy[] = [
  { conditionType: 'Ready', conditionStatus: 'False', tolerationMs: 10 * MINUTE },
  { conditionType: 'DiskBroken', conditionStatus: 'True', tolerationMs: 0 },
];
const conditionOf = (type: string, status: Condition['status'], sinceMs = NOW): Condition => ({
  type,
  status,
  lastTransitionTime: timestampOf(sinceMs),
});
const nodeWithConditions = (name: string, ...conditions: readonly Condition[]): Node =>
  aKubeNode(name, {
    metadata: { uid: `uid-of-node-${name}`, labels: { 'karpenter.sh/nodepool': 'general' } },
    spec: { providerID: `test:///${name}` },
    status: { conditions },
  });

type Annotations = Readonly<Record<string, string>>;

/** A cluster with these nodes of one pool, each with its claim. */
const aClusterOf = (nodes: readonly Node[], annotations: Annotations): FakeCluster => {
  const cluster = new FakeCluster();
  for (const node of nodes) {
    const { name } = node.metadata;
    const metadata = { name, uid: `uid-${name}`, labels: { 'karpenter.sh/nodepool': 'general' }, annotations, finalizers: ['f'] };
    cluster.seed('NodeClaim', { metadata, spec: { requirements: [], nodeClassRef }, status: { providerID: `test:///${name}` } });
    cluster.seed('Node', node);
  }
  return cluster;
};

/** Reconciles the first of the pool's nodes, and once more after the wait. */
const repaired = async (nodes: readonly Node[], claimAnnotations: Annotations = {}, { isLeaving = false, waitMs = 0 } = {}) => {
  const [first = nodeWithConditions('none')] = nodes;
  const { name } = first.metadata;
  const cluster = aClusterOf(nodes, claimAnnotations);
  const shell = fakeShell(cluster, { repairPolicies });
  if (isLeaving) await cluster.delete('NodeClaim', { name });
  const controller = health(shell);
  const outcome = await controller.reconcile(first, { signal });
  await shell.clock.advance(waitMs);
  if (waitMs > 0) await controller.reconcile(first, { signal });
  const claim = shell.caches.nodeClaims.get({ name });
  return {
    outcome,
    reported: shell.reported,
    claim,
    deadline: claim?.metadata.annotations?.['karpenter.sh/nodeclaim-termination-timestamp'],
  };
};

const healthy = (count: number): readonly Node[] =>
  Array.from({ length: count }, (_, i) => nodeWithConditions(`well-${i}`, conditionOf('Ready', 'True')));
const brokenNodes = (count: number): readonly Node[] =>
  Array.from({ length: count }, (_, i) => nodeWithConditions(`ill-${i}`, conditionOf('DiskBroken', 'True')));

describe('a node', () => {
  test('counts by the condition whose toleration ends first', async () => {
    const { reported } = await repaired([
      nodeWithConditions('n', conditionOf('Ready', 'False', NOW - 9 * MINUTE), conditionOf('DiskBroken', 'True', NOW - MINUTE)),
      ...healthy(4),
    ]);
    expect(reported).toContainEqual(expect.objectContaining({ kind: 'node-unhealthy', condition: 'DiskBroken' }));
  });

  test('is tolerated for a while', async () => {
    const { outcome, reported } = await repaired([nodeWithConditions('n', conditionOf('Ready', 'False', NOW - 4 * MINUTE)), ...healthy(4)]);
    expect(outcome).toEqual({ kind: 'requeue', afterMs: 6 * MINUTE });
    expect(reported).toEqual([]);
  });

  test('is deleted after that, with an immediate termination deadline', async () => {
    const { claim, reported, deadline } = await repaired(
      [nodeWithConditions('n', conditionOf('Ready', 'False', NOW - 4 * MINUTE)), ...healthy(4)],
      {},
      { waitMs: 6 * MINUTE },
    );
    expect(claim?.metadata.deletionTimestamp).toBeDefined();
    expect(deadline).toBe(timestampOf(NOW + 6 * MINUTE));
    expect(reported.map(({ kind }) => kind)).toEqual(['claim-disrupted', 'node-unhealthy']);
  });

  test('that already drains gets an immediate termination deadline, which ends the drain of a dead node; it is counted once', async () => {
    const later = timestampOf(NOW + 60 * MINUTE);
    const { reported, deadline } = await repaired(
      [...brokenNodes(1), ...healthy(4)],
      { 'karpenter.sh/nodeclaim-termination-timestamp': later },
      { isLeaving: true },
    );
    expect(deadline).toBe(timestampOf(NOW));
    expect(reported).toEqual([]);
  });

  test('keeps an earlier deadline', async () => {
    const earlier = timestampOf(NOW - 5 * MINUTE);
    const { deadline } = await repaired([...brokenNodes(1), ...healthy(4)], { 'karpenter.sh/nodeclaim-termination-timestamp': earlier });
    expect(deadline).toBe(earlier);
  });
});

/** A node of a pool of five, and how it is reconciled with conditions that its kubelet dates by this skew. */
const aWatchedNode = (skewMs: number, metadata: Partial<Node['metadata']> = {}) => {
  const name = 'n';
  const shell = fakeShell(aClusterOf([nodeWithConditions(name), ...healthy(4)], {}), { repairPolicies });
  const controller = health(shell);
  return {
    shell,
    becomes: (status: 'True' | 'False') => {
      const node = nodeWithConditions(name, conditionOf('Ready', status, shell.clock.now() + skewMs));
      return controller.reconcile({ ...node, metadata: { ...node.metadata, ...metadata } }, { signal });
    },
  };
};

describe('a node whose kubelet’s clock is', () => {
  test.each([
    ['right', 0],
    ['three hours behind', -180 * MINUTE],
    ['three hours ahead', 180 * MINUTE],
  ])('%s › is tolerated from when it is seen not ready, and from then again after it was ready', async (_, skewMs) => {
    const { shell, becomes } = aWatchedNode(skewMs);
    await becomes('True');
    for (let times = 0; times < 2; times++) {
      expect(await becomes('False')).toEqual({ kind: 'requeue', afterMs: 10 * MINUTE });
      await shell.clock.advance(9 * MINUTE);
      expect(await becomes('True')).toEqual({ kind: 'settled' });
    }
    expect(shell.reported).toEqual([]);
  });

  test.each([
    ['right: less what it has been ill', -4 * MINUTE, {}, 6],
    ['three hours behind: for five minutes at least', -180 * MINUTE, {}, 5],
    ['three hours ahead: from now', 180 * MINUTE, {}, 10],
    ['behind when the node was made: from now', -180 * MINUTE, { creationTimestamp: timestampOf(NOW - 60 * MINUTE) }, 10],
  ])('%s, where the process begins while it is not ready', async (...[, skewMs, metadata, minutes]) => {
    const { becomes } = aWatchedNode(skewMs, metadata);
    expect(await becomes('False')).toEqual({ kind: 'requeue', afterMs: minutes * MINUTE });
  });
});

describe('too many unhealthy nodes', () => {
  test.each([
    [1, 0, false],
    [2, 0, true],
    [1, 4, false],
    [2, 3, true],
    [2, 4, false],
    [3, 8, false],
    [4, 8, true],
  ])('%i of %i others and themselves: %s', (unhealthy, well, expected) => {
    expect(areTooManyUnhealthy([...brokenNodes(unhealthy), ...healthy(well)], repairPolicies)).toBe(expected);
  });

  test('keep all of them, and say so', async () => {
    const { claim, reported, outcome } = await repaired([...brokenNodes(2), ...healthy(3)]);
    expect(claim?.metadata.deletionTimestamp).toBeUndefined();
    expect(reported).toMatchObject([{ kind: 'repair-blocked', node: { metadata: { name: 'ill-0' } } }]);
    expect(outcome).toEqual({ kind: 'requeue', afterMs: 5 * MINUTE });
  });
});
