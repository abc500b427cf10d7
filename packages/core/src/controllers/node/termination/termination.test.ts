import { expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { DeleteOptions, KubeObject } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import type { CloudProvider } from '../../../cloudprovider/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { aNodeClaim, nodeClassRef } from '../../../testing/objects.ts';
import { termination } from './termination.ts';

const { signal } = new AbortController();
const finalizers = ['karpenter.sh/termination'];

const leavingClaim = (kind = 'TestNodeClass'): NodeClaim =>
  aNodeClaim('a', {
    metadata: { finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' },
    spec: { nodeClassRef: { ...nodeClassRef, kind } },
    status: { providerID: 'test:///a', nodeName: 'node-a' },
  });

const aNode: Node = {
  metadata: { name: 'node-a', uid: 'uid-node-a', finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' },
  spec: { providerID: 'test:///a' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

const aLeavingNode = (provider: Partial<CloudProvider>, claim = leavingClaim()) => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster, provider);
  cluster.seed('NodeClaim', claim);
  cluster.seed('Node', aNode);
  const controller = termination(shell);
  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second++) {
      const node = shell.caches.nodes.get({ name: 'node-a' });
      if (node !== undefined) await controller.reconcile(node, { signal });
      await shell.clock.advance(1000);
    }
  };
  const drained = () => conditionOf(shell.caches.nodeClaims.get({ name: 'a' })?.status?.conditions, 'Drained');
  return { cluster, shell, seconds, drained };
};

test('a node that has been drained stays drained while its volumes and its machine go', async () => {
  let askedFor = 0;
  const { seconds, drained } = aLeavingNode({
    delete: () => {
      askedFor += 1;
      return Promise.resolve('terminating');
    },
  });
  await seconds(7);
  const since = drained();
  expect(since?.status).toBe('True');
  await seconds(3);
  expect(drained()).toEqual(since);
  expect(askedFor).toBe(5);
});

test('a drain held by do-not-disrupt says so on the claim and by a decision', async () => {
  const { cluster, shell, seconds, drained } = aLeavingNode({});
  cluster.seed('Pod', {
    metadata: { name: 'db', namespace: 'default', uid: 'uid-db', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
    spec: { containers: [], nodeName: 'node-a' },
  });
  await seconds(2);
  const message = 'Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt)';
  expect(drained()).toMatchObject({ status: 'Unknown', reason: 'Draining', message });
  expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'drain-waiting', message }));
});

test.each([
  ['a webhook denies an eviction', { code: 'forbidden', status: 403, cause: undefined }],
  ['the API server fails', { code: 'server', status: 500, cause: undefined }],
  ['the API server has too many requests', { code: 'too-many-requests', status: 429, cause: undefined }],
] as const)('when %s, a drain says so of that pod and of those that it also waits for, and the failure is thrown', async (_, details) => {
  const { cluster, shell, seconds, drained } = aLeavingNode({});
  const pods = { db: { 'karpenter.sh/do-not-disrupt': 'true' }, web: {} };
  for (const [name, annotations] of Object.entries(pods))
    cluster.seed('Pod', {
      metadata: { name, namespace: 'default', uid: `uid-${name}`, annotations },
      spec: { containers: [], nodeName: 'node-a' },
    });
  const failure = new KubeError('not now', details);
  Object.assign(cluster, { evict: () => Promise.reject(failure) });
  await expect(seconds(1)).rejects.toBe(failure);
  const message = 'Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt), default/web (not now)';
  expect(drained()).toMatchObject({ status: 'Unknown', reason: 'Draining', message });
  expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'drain-waiting', message, holds: ['do-not-disrupt', 'refused'] }));
});

test('a claim is deleted with its node only if it is the very one that the node belongs to', async () => {
  const asked: (string | undefined)[] = [];
  const { deletionTimestamp: _, ...metadata } = leavingClaim().metadata;
  const { cluster, seconds } = aLeavingNode({}, { ...leavingClaim(), metadata });
  Object.assign(cluster, {
    delete: (_kind: string, _key: unknown, options: DeleteOptions) => {
      asked.push(options.uid);
      return Promise.resolve('terminating');
    },
  });
  await seconds(1);
  expect(asked).toEqual(['uid-a']);
});

test('a node of another provider is left to that one', async () => {
  const { seconds, cluster } = aLeavingNode({ delete: () => Promise.reject(new Error('not ours')) }, leavingClaim('ForeignNodeClass'));
  await seconds(8);
  expect(cluster.writes).toEqual([]);
});

test('a node without a claim is seen out where its label says that it was of a class of ours', async () => {
  const goodbye = async (labels: Readonly<Record<string, string>>) => {
    const cluster = new FakeCluster();
    const shell = fakeShell(cluster);
    cluster.seed('Node', { ...aNode, metadata: { ...aNode.metadata, labels } });
    await termination(shell).reconcile({ ...aNode, metadata: { ...aNode.metadata, labels } }, { signal });
    return cluster.writes.length > 0;
  };
  expect(await goodbye({ 'test.dev/testnodeclass': 'default' })).toBe(true);
  expect(await goodbye({ 'other.dev/othernodeclass': 'default' })).toBe(false);
});

test('a node that the cache still has after its end is not reported as terminated again', async () => {
  const cluster = new (class extends FakeCluster {
    override patch<T extends KubeObject>(): Promise<T | undefined> {
      return Promise.resolve(undefined);
    }
  })();
  const shell = fakeShell(cluster);
  const released = { ...aNode, metadata: { ...aNode.metadata, labels: { 'test.dev/testnodeclass': 'default' } } };
  cluster.seed('Node', released);
  await termination(shell).reconcile(released, { signal });
  expect(shell.reported.map(({ kind }) => kind)).not.toContain('node-terminated');
});
