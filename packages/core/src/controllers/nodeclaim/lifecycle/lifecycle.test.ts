import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { aKubeNode, aNodeClaim } from '../../../testing/objects.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { lifecycle } from './lifecycle.ts';

const FINALIZER = 'karpenter.sh/termination';
const { signal } = new AbortController();

/** A claim whose machine costs nothing, and how it is reconciled. */
const aScene = () => {
  const cluster = new FakeCluster();
  const launched: string[] = [];
  const create = ({ metadata: { name } }: NodeClaim) => {
    launched.push(name);
    return Promise.resolve({ providerId: `test:///${name}`, labels: {}, capacity: {}, allocatable: {} });
  };
  const shell = fakeShell(cluster, { create });
  const controller = lifecycle(shell, { initializationMs: Number.POSITIVE_INFINITY });
  const current = (): NodeClaim => cluster.kind('NodeClaim').get({ name: 'a' });
  const takeOff = () =>
    cluster.patch('NodeClaim', { name: 'a' }, { type: 'merge', body: { metadata: { finalizers: ['other/finalizer'] } } });
  cluster.seed('NodeClaim', aNodeClaim('a', { metadata: { uid: 'u', finalizers: ['other/finalizer'] } }));
  return { shell, launched, current, takeOff, reconcile: () => controller.reconcile(current(), { signal, foundBug: () => undefined }) };
};

describe('a claim without its finalizer', () => {
  test('gets it before it is launched', async () => {
    const { reconcile, current, launched } = aScene();
    await reconcile();
    expect(current().metadata.finalizers).toEqual(['other/finalizer', FINALIZER]);
    expect(launched).toEqual([]);
    await reconcile();
    expect(launched).toEqual(['a']);
  });

  test('that somebody takes off again is launched without it, and says so; it is put back less often each time', async () => {
    const { shell, reconcile, current, takeOff, launched } = aScene();
    const waits: number[] = [];
    for (let times = 0; times < 4; times++) {
      await reconcile();
      expect(current().metadata.finalizers).toContain(FINALIZER);
      await takeOff();
      const outcome = await reconcile();
      expect(current().metadata.finalizers).not.toContain(FINALIZER);
      const waitMs = outcome.kind === 'requeue' ? outcome.afterMs : 0;
      waits.push(waitMs);
      await shell.clock.advance(waitMs);
    }
    expect(launched).toEqual(['a']);
    expect(current().status?.providerID).toBe('test:///a');
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
    expect(shell.reported.filter(({ kind }) => kind === 'finalizer-removed')).toHaveLength(3);
  });
});

test('when a claim whose status states the machine of another is deleted › the node of that machine stays', async () => {
  const cluster = new FakeCluster();
  const status = { providerID: 'test:///a', conditions: [{ type: 'Registered', status: 'True' as const }] };
  cluster.seed('NodeClaim', aNodeClaim('a', { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, status }));
  const metadata = { creationTimestamp: '2026-01-02T00:00:00Z', deletionTimestamp: '2026-01-03T00:00:00Z', finalizers: [FINALIZER] };
  cluster.seed('NodeClaim', aNodeClaim('b', { metadata, status }));
  cluster.seed('Node', aKubeNode('n', { spec: { providerID: 'test:///a' } }));
  const controller = lifecycle(fakeShell(cluster), { initializationMs: Number.POSITIVE_INFINITY });
  await controller.reconcile(cluster.kind('NodeClaim').get({ name: 'b' }), { signal });
  expect(cluster.caches.nodeClaims.list().map(({ metadata: { name } }) => name)).toEqual(['a']);
  expect(cluster.caches.nodes.list()).toHaveLength(1);
});
