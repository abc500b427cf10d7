import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { Node } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { Decision } from '../ports/index.ts';
import { ClusterState } from '../state/index.ts';
import { deleteNodeClaim, taintDisrupted, untaintDisrupted } from './write-through.ts';
import type { Acting } from './write-through.ts';

describe('delete node claim', () => {
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
    const reported: Decision[] = [];
    const reporter = { report: (each: Decision) => void reported.push(each) };
    const clock = fakeClock();
    const getSupportedNodeClasses = () => [{ group: 'test.dev', version: 'v1', kind: 'TestNodeClass', plural: 'testnodeclasses' }];
    const provider = { getSupportedNodeClasses } as unknown as CloudProvider;
    const state = new ClusterState({ caches, clock, reporter, provider, nominationMs: 20_000 });
    cluster.seed('NodeClaim', claim);
    const going = () => state.views(clock.now()).map(({ isMarkedForDeletion }) => isMarkedForDeletion);
    return { cluster, deleting: { kube: cluster, caches, state, reporter }, reported, going };
  };

  test('a deleted claim counts as marked before the cache shows it', async () => {
    const { cluster, deleting, reported, going } = aScene();
    Object.assign(cluster, { delete: () => Promise.resolve('terminating') });
    expect(going()).toEqual([false]);
    await deleteNodeClaim(deleting, claim, { reason: 'expired', signal });
    expect(going()).toEqual([true]);
    expect(reported.map(({ kind }) => kind)).toEqual(['claim-disrupted']);
  });

  test('a claim that was recreated under the same name is left alone, and nothing is reported', async () => {
    const { deleting, reported, going } = aScene();
    await deleteNodeClaim(
      deleting,
      { ...claim, metadata: { ...claim.metadata, uid: 'uid-of-the-one-before' } },
      { reason: 'expired', signal },
    );
    expect([going(), reported]).toEqual([[false], []]);
  });
});

describe('disrupted taint', () => {
  const { signal } = new AbortController();
  const own = { key: 'team', effect: 'NoSchedule' } as const;

  const aScene = (): Acting & { readonly cluster: FakeCluster; node(): Node } => {
    const cluster = new FakeCluster();
    cluster.seed('Node', { metadata: { name: 'n' }, ...{ spec: { taints: [own] } } });
    const { caches } = cluster;
    const node = (): Node => {
      const found = caches.nodes.get({ name: 'n' });
      if (found === undefined) throw new Error('the node is gone');
      return found;
    };
    return { cluster, kube: cluster, caches, node };
  };

  describe('closing a node', () => {
    test('twice is the same as once, and leaves its own taints', async () => {
      const scene = aScene();
      await taintDisrupted(scene, scene.node(), signal);
      await taintDisrupted(scene, scene.node(), signal);
      expect(scene.node().spec?.taints).toEqual([own, { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }]);
      expect(scene.cluster.writes).toHaveLength(1);
    });

    test('and opening it again, twice, gives the node back as it was', async () => {
      const scene = aScene();
      await taintDisrupted(scene, scene.node(), signal);
      await untaintDisrupted(scene, scene.node(), signal);
      await untaintDisrupted(scene, scene.node(), signal);
      expect(scene.node().spec?.taints).toEqual([own]);
      expect(scene.cluster.writes).toHaveLength(2);
    });

    test('does not overwrite what somebody else wrote in between', async () => {
      const scene = aScene();
      const stale = scene.node();
      await scene.kube.patch('Node', { name: 'n' }, { type: 'merge', body: { spec: { taints: [] } } });
      await expect(taintDisrupted(scene, stale, signal)).rejects.toMatchObject({ code: 'conflict' });
    });
  });
});
