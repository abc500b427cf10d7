import { describe, expect, test } from '@jest/globals';
import type { Node } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { taintDisrupted, untaintDisrupted } from './disrupted-taint.ts';
import type { Acting } from './write-through.ts';

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
