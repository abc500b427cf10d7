import { describe, expect, test } from '@jest/globals';
import { fakeClock, type RecordedEvent, requeueAfter, settled } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { aNodeClaim } from '../testing/objects.ts';
import { nodeClassStatusKeeping, nodeClassTermination } from './node-class.ts';
import type { NodeClass, Verdict } from './node-class.ts';

const { signal } = new AbortController();
const kind = { group: 'acme.dev', kind: 'AcmeNodeClass' };
const finalizer = 'acme.dev/termination';

const acmeClass = (metadata: Partial<NodeClass['metadata']> = {}): NodeClass => ({
  apiVersion: 'acme.dev/v1',
  kind: 'AcmeNodeClass',
  metadata: { name: 'default', generation: 1, ...metadata },
});

const claimOfClass = (name: string, ofKind = 'AcmeNodeClass'): NodeClaim =>
  aNodeClaim(`claim-of-${name}`, { spec: { nodeClassRef: { group: 'acme.dev', kind: ofKind, name } } });

const leaving = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['other', finalizer] };

describe('a class that is deleted', () => {
  const afterReconcile = async (nodeClass: NodeClass, claims: readonly NodeClaim[]) => {
    const cluster = new FakeCluster();
    cluster.seed('AcmeNodeClass', nodeClass);
    const list = () => Promise.resolve({ items: claims as never[], resourceVersion: '1' });
    const stored = cluster.kind('AcmeNodeClass').get({ name: 'default' }) as NodeClass;
    const reported: RecordedEvent[] = [];
    const events = { record: (event: RecordedEvent) => void reported.push(event) };
    const controller = nodeClassTermination({ kind, finalizer, events, kube: { list, patch: (...call) => cluster.patch(...call) } });
    const outcome = await controller.reconcile(stored, { signal });
    return { outcome, reported, writes: cluster.writes };
  };

  test('goes when no claim uses it, whatever claims of other kinds say', async () => {
    const { outcome, writes } = await afterReconcile(acmeClass(leaving), [
      claimOfClass('default', 'OtherNodeClass'),
      claimOfClass('elsewhere'),
    ]);
    expect([outcome, writes]).toEqual([settled, ['patch AcmeNodeClass default']]);
  });

  test('stays while a claim uses it, and says which', async () => {
    const { outcome, reported, writes } = await afterReconcile(acmeClass(leaving), [claimOfClass('default'), claimOfClass('elsewhere')]);
    expect([outcome, writes]).toEqual([requeueAfter(600_000), []]);
    expect(reported).toMatchObject([
      {
        subject: { apiVersion: 'acme.dev/v1', kind: 'AcmeNodeClass', name: 'default' },
        reason: 'WaitingOnNodeClaimTermination',
        message: 'Waiting on NodeClaim termination for claim-of-default',
      },
    ]);
  });

  test('names five of the claims that use it, and counts the others', async () => {
    const { reported } = await afterReconcile(acmeClass(leaving), Array(7).fill(claimOfClass('default')));
    expect(reported[0]?.message).toMatch(/(claim-of-default, ){4}claim-of-default and 2 more$/);
  });

  test('is left alone otherwise', async () => {
    expect((await afterReconcile(acmeClass({ finalizers: [finalizer] }), [])).writes).toEqual([]);
  });
});

describe('the status of a class', () => {
  const start = (nodeClass: NodeClass) => {
    const cluster = new FakeCluster();
    cluster.seed('AcmeNodeClass', nodeClass);
    const stored = () => cluster.kind('AcmeNodeClass').get({ name: 'default' }) as NodeClass;
    const found: { verdicts: readonly Verdict[] } = { verdicts: [{ type: 'ImageReady', status: 'True' }] };
    const controller = nodeClassStatusKeeping<NodeClass>({
      ...{ kind, finalizer, parts: ['ImageReady'], recheckMs: 3000, clock: fakeClock() },
      kube: { patch: (...call) => cluster.patch(...call), patchStatus: (...call) => cluster.patchStatus(...call) },
      resolve: () => Promise.resolve({ verdicts: found.verdicts, status: { image: 'v1' } }),
    });
    const reconcile = () => controller.reconcile(stored(), { signal });
    return { cluster, stored, found, reconcile };
  };

  test('says what was found, holds on to the class, and is not written again while it stays so', async () => {
    const { cluster, stored, reconcile } = start(acmeClass());
    expect(await reconcile()).toEqual(requeueAfter(3000));
    expect(stored().metadata.finalizers).toEqual([finalizer]);
    expect(stored().status).toMatchObject({
      image: 'v1',
      conditions: [
        { type: 'ImageReady', status: 'True', observedGeneration: 1 },
        { type: 'Ready', status: 'True' },
      ],
    });
    const writes = cluster.writes.length;
    await reconcile();
    expect(cluster.writes).toHaveLength(writes);
  });

  test('says why the class is not ready, and is checked more often then', async () => {
    const { stored, found, reconcile } = start(acmeClass());
    found.verdicts = [{ type: 'ImageReady', status: 'False', reason: 'NoImage', message: 'there is none' }];
    expect(await reconcile()).toEqual(requeueAfter(1000));
    expect(stored().status?.conditions?.[1]).toMatchObject({
      status: 'False',
      reason: 'NoImage',
      message: 'ImageReady=False, there is none',
    });
  });

  test('is unknown while a part was not judged', async () => {
    const { stored, found, reconcile } = start(acmeClass());
    found.verdicts = [];
    await reconcile();
    expect(stored().status?.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'Unknown', reason: 'AwaitingReconciliation' });
  });

  test('of a class that is being deleted is left alone', async () => {
    const { cluster, reconcile } = start(acmeClass(leaving));
    expect(await reconcile()).toEqual(settled);
    expect(cluster.writes).toEqual([]);
  });
});
