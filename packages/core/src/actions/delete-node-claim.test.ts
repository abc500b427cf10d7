import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { Decision } from '../ports/index.ts';
import { ClusterState } from '../state/index.ts';
import { deleteNodeClaim } from './delete-node-claim.ts';

const { signal } = new AbortController();
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', uid: 'uid-a', finalizers: ['karpenter.sh/termination'] },
  spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
};

const aScene = () => {
  const cluster = new FakeCluster();
  const { caches } = cluster;
  const told: Decision[] = [];
  const reporter = { report: (each: Decision) => void told.push(each) };
  const clock = fakeClock();
  const getSupportedNodeClasses = () => [{ group: 'test.dev', version: 'v1', kind: 'TestNodeClass', plural: 'testnodeclasses' }];
  const provider = { getSupportedNodeClasses } as unknown as CloudProvider;
  const state = new ClusterState({ caches, clock, reporter, provider, nominationMs: 20_000 });
  cluster.seed('NodeClaim', claim);
  const going = () => state.views(clock.now()).map(({ isMarkedForDeletion }) => isMarkedForDeletion);
  return { cluster, deleting: { kube: cluster, caches, state, reporter }, told, going };
};

test('a deleted claim counts as marked before the cache shows it', async () => {
  const { cluster, deleting, told, going } = aScene();
  Object.assign(cluster, { delete: () => Promise.resolve('terminating') });
  expect(going()).toEqual([false]);
  await deleteNodeClaim(deleting, claim, { reason: 'expired', signal });
  expect(going()).toEqual([true]);
  expect(told.map(({ kind }) => kind)).toEqual(['claim-disrupted']);
});

test('a claim that was recreated under the same name is left alone, and nothing is reported', async () => {
  const { deleting, told, going } = aScene();
  await deleteNodeClaim(
    deleting,
    { ...claim, metadata: { ...claim.metadata, uid: 'uid-of-the-one-before' } },
    { reason: 'expired', signal },
  );
  expect([going(), told]).toEqual([[false], []]);
});
