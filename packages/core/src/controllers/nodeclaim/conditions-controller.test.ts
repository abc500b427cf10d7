import { expect, test } from '@jest/globals';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { aNodePool } from '../../testing/objects.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { conditions } from './conditions.ts';
import { nodeClassRef } from '../../testing/objects.ts';
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', labels: { 'karpenter.sh/nodepool': 'general' } },
  spec: { requirements: [], nodeClassRef },
  status: {
    conditions: [
      { type: 'Launched', status: 'True' },
      { type: 'Initialized', status: 'True', lastTransitionTime: '2025-12-31T00:00:00Z' },
      { type: 'Drifted', status: 'True', reason: 'ImageDrift' },
    ],
  },
};

test('a changed NodeClass concerns its claims at once, and no others', () => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', claim);
  cluster.seed('NodeClaim', {
    ...claim,
    metadata: { name: 'b' },
    spec: { requirements: [], nodeClassRef: { ...nodeClassRef, name: 'other' } },
  });
  const watch = conditions(fakeShell(cluster)).watches?.find(({ kind }) => kind === 'TestNodeClass');
  expect(watch?.keysFor({ type: 'added', key: { name: 'default' }, object: { metadata: { name: 'default' } } })).toEqual([{ name: 'a' }]);
});

test('a NodePool concerns its claims when its spec changes, and not when its status or its annotations do', () => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', claim);
  const watch = conditions(fakeShell(cluster)).watches?.find(({ kind }) => kind === 'NodePool');
  const metadata = { uid: 'pool-1', generation: 1 };
  const pool = aNodePool('general', { metadata: { ...metadata, annotations: { 'karpenter.sh/nodepool-hash': '1' } } });
  const after = (object: NodePool) => watch?.keysFor({ type: 'updated', key: { name: 'general' }, previous: pool, object });
  expect(after({ ...pool, status: { conditions: [{ type: 'Ready', status: 'True' }] } })).toEqual([]);
  expect(after({ ...pool, metadata: { ...pool.metadata, generation: 2 }, spec: { ...pool.spec, weight: 7 } })).toEqual([{ name: 'a' }]);
  expect(after(aNodePool('general', { metadata: { ...metadata, annotations: { 'karpenter.sh/nodepool-hash': '2' } } }))).toEqual([]);
});

test('a NodePool concerns its claims when it was deleted and made again between two events', () => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', claim);
  const watch = conditions(fakeShell(cluster)).watches?.find(({ kind }) => kind === 'NodePool');
  const pool = (uid: string): NodePool => aNodePool('general', { metadata: { uid, generation: 1 } });
  const change = { type: 'updated' as const, key: { name: 'general' }, previous: pool('pool-1'), object: pool('pool-2') };
  expect(watch?.keysFor(change)).toEqual([{ name: 'a' }]);
});

test('a node can be found empty even while its class is gone, so that drift is unknown', async () => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', claim);
  cluster.seed('NodePool', { metadata: { name: 'general' }, spec: { template: { spec: { requirements: [], nodeClassRef } } } });
  const shell = fakeShell(cluster, {
    getInstanceTypes: () => Promise.reject(new CloudProviderError('node-class-not-ready', 'no such class')),
  });
  const seen = shell.caches.nodeClaims.get({ name: 'a' }) ?? claim;
  expect(await conditions(shell).reconcile(seen, { signal: new AbortController().signal })).toEqual({
    kind: 'requeue',
    afterMs: 60_000,
  });
  const after = shell.caches.nodeClaims.get({ name: 'a' })?.status?.conditions;
  expect(conditionOf(after, 'Consolidatable')?.status).toBe('True');
  expect(conditionOf(after, 'Drifted')?.reason).toBe('ImageDrift');
});
