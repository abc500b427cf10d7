import { describe, expect, test } from '@jest/globals';
import type { Interruption } from '../../cloudprovider/index.ts';
import { timestampOf } from '../../base/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { interruption } from './interruption.ts';
import { nodeClassRef } from '../../testing/objects.ts';

const { signal } = new AbortController();
const NOW = Date.UTC(2026, 0, 1);
const DEADLINE = 'karpenter.sh/nodeclaim-termination-timestamp';
const node = { metadata: { name: 'n', uid: 'uid-of-node-n' }, spec: { providerID: 'test:///n' } };

const interrupted = async (announced: Interruption | undefined, annotations: Readonly<Record<string, string>> = {}, group = 'test.dev') => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', {
    metadata: { name: 'n', uid: 'uid-n', annotations, finalizers: ['f'] },
    spec: { requirements: [], nodeClassRef: { ...nodeClassRef, group } },
    status: { providerID: 'test:///n' },
  });
  cluster.seed('Node', node);
  const shell = fakeShell(cluster, { interruptionOf: () => announced });
  const reconcile = () => interruption(shell).reconcile(node, { signal });
  await reconcile();
  const claim = shell.caches.nodeClaims.get({ name: 'n' });
  return {
    reconcile,
    reported: shell.reported,
    isGoing: claim?.metadata.deletionTimestamp !== undefined,
    deadline: claim?.metadata.annotations?.[DEADLINE],
  };
};

const preempt = (inMs: number): Interruption => ({ reason: 'Preempt', deadlineMs: NOW + inMs });

describe('a node whose machine the cloud takes away', () => {
  test('is deleted at once, with the end of the notice as its termination deadline', async () => {
    const { isGoing, deadline, reported } = await interrupted(preempt(27_000));
    expect({ isGoing, deadline }).toEqual({ isGoing: true, deadline: timestampOf(NOW + 27_000) });
    expect(reported).toMatchObject([
      { kind: 'claim-disrupted', reason: 'interrupted' },
      { kind: 'interrupted', reason: 'Preempt', deadlineMs: NOW + 27_000 },
    ]);
  });

  test('has no time left when the notice is over', async () => {
    expect((await interrupted(preempt(-60_000))).deadline).toBe(timestampOf(NOW));
  });

  test('keeps a deadline that is earlier, and takes one that is', async () => {
    expect((await interrupted(preempt(60_000), { [DEADLINE]: timestampOf(NOW + 1000) })).deadline).toBe(timestampOf(NOW + 1000));
    expect((await interrupted(preempt(60_000), { [DEADLINE]: timestampOf(NOW + 90_000) })).deadline).toBe(timestampOf(NOW + 60_000));
  });

  test('is reported once', async () => {
    const { reconcile, reported } = await interrupted(preempt(27_000));
    await reconcile();
    expect(reported).toHaveLength(2);
  });

  test.each([
    ['of another provider', preempt(27_000), 'other.dev'],
    ['without an announcement', undefined, 'test.dev'],
  ])('a node %s stays', async (_, announced, group) => {
    const { isGoing, reported } = await interrupted(announced, {}, group);
    expect({ isGoing, reported }).toEqual({ isGoing: false, reported: [] });
  });
});
