import { describe, expect, test } from '@jest/globals';
import { requeueAfter, settled } from '@karpenter/runtime';
import { nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { aNodeClaim } from '../testing/objects.ts';
import { inPlaceUpdating } from './in-place-update.ts';
import type { NodeClass } from './node-class.ts';

const { signal } = new AbortController();
const kind = { group: 'acme.dev', kind: 'AcmeNodeClass' };
const annotation = 'acme.dev/in-place-hash';

interface AcmeNodeClass extends NodeClass {
  readonly spec: { readonly tier: string };
}

const goldClass = (metadata: Partial<NodeClass['metadata']> = {}): AcmeNodeClass => ({
  apiVersion: 'acme.dev/v1',
  kind: 'AcmeNodeClass',
  metadata: { name: 'default', ...metadata },
  spec: { tier: 'gold' },
});

interface Given {
  readonly registered?: 'True' | 'Unknown';
  readonly of?: string;
  readonly metadata?: Partial<NodeClaim['metadata']>;
}

const acmeClaim = (name: string, { registered = 'True', of = 'default', metadata = {} }: Given = {}): NodeClaim =>
  aNodeClaim(name, {
    metadata: { annotations: { [annotation]: 'silver' }, ...metadata },
    spec: { nodeClassRef: { ...kind, name: of } },
    status: { providerID: `acme:///${name}`, conditions: [{ type: nodeClaimConditions.registered, status: registered }] },
  });

const startUpdating = (...claims: readonly NodeClaim[]) => {
  const cluster = new FakeCluster();
  for (const claim of claims) cluster.seed('NodeClaim', claim);
  const brought: string[] = [];
  const failing = new Map<string, Error>();
  const waiting = new Map<string, Promise<unknown>>();
  const left: string[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const controller = inPlaceUpdating<AcmeNodeClass, string>({
    ...{ kind, annotation },
    kube: {
      list: () => Promise.resolve({ items: cluster.kind('NodeClaim').list(), resourceVersion: '1' }),
      patch: (...call) => cluster.patch(...call),
    },
    update: {
      goalOf: (_, { spec }) => spec.tier,
      hashOf: (goal) => goal,
      bring: async ({ metadata: { name } }, goal) => {
        const failure = failing.get(name);
        if (failure !== undefined) throw failure;
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        await waiting.get(name);
        atOnce -= 1;
        brought.push(`${name} ${goal}`);
        return name === 'lost' ? 'gone' : 'brought';
      },
    },
    isOfOne: (failure) => failure.message === 'not now',
    onProgress: (progress) => void left.push(`${progress.className} ${String(progress.left)}`),
  });
  return {
    cluster,
    brought,
    failing,
    waiting,
    left,
    most: () => mostAtOnce,
    reconcile: (nodeClass = goldClass()) => controller.reconcile(nodeClass, { signal }),
  };
};

const refusing = (message: string): Error => Object.assign(new Error(message), { code: 'refused' });

describe('machines that run', () => {
  test('are brought to what their class asks for, once', async () => {
    const { cluster, brought, reconcile } = startUpdating(acmeClaim('a'));
    expect(await reconcile()).toEqual(settled);
    expect(await reconcile()).toEqual(settled);
    expect([brought, cluster.writes]).toEqual([['a gold'], ['patch NodeClaim a']]);
  });

  test.each([
    ['have it already', acmeClaim('a', { metadata: { annotations: { [annotation]: 'gold' } } })],
    ['are of another class', acmeClaim('a', { of: 'other' })],
    ['are on their way out', acmeClaim('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
  ])('are left alone when they %s', async (_, claim) => {
    const { brought, reconcile } = startUpdating(claim);
    expect([await reconcile(), brought]).toEqual([settled, []]);
  });

  test('are waited for until they have joined', async () => {
    const { brought, reconcile } = startUpdating(acmeClaim('a', { registered: 'Unknown' }));
    expect([await reconcile(), brought]).toEqual([requeueAfter(60_000), []]);
  });

  test('are left alone when their class is on its way out', async () => {
    const { brought, reconcile } = startUpdating(acmeClaim('a'));
    expect([await reconcile(goldClass({ deletionTimestamp: '2026-01-01T00:00:00Z' })), brought]).toEqual([settled, []]);
  });

  test('that are gone are not written down as brought', async () => {
    const { cluster, reconcile } = startUpdating(acmeClaim('lost'));
    await reconcile();
    expect(cluster.writes).toEqual([]);
  });
});

describe('many machines', () => {
  const many = Array.from({ length: 120 }, (_, index) => acmeClaim(`m${String(index).padStart(3, '0')}`));

  test('are updated in passes, at most five at a time and the first alone, and the rest is reported', async () => {
    const { brought, left, most, reconcile } = startUpdating(...many);
    expect(await reconcile()).toEqual(requeueAfter(1_000));
    expect([brought.length, most(), left.at(-1)]).toEqual([50, 5, 'default 70']);
    expect(await reconcile()).toEqual(requeueAfter(1_000));
    expect([brought.length, left.at(-1)]).toEqual([100, 'default 20']);
    expect(await reconcile()).toEqual(settled);
    expect([brought.length, left.at(-1)]).toEqual([120, 'default 0']);
  });

  test('are reported as left before the first is updated, and fewer after each group', async () => {
    const { waiting, left, reconcile } = startUpdating(...many.slice(0, 7));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    waiting.set('m000', promise);
    const pass = reconcile();
    await new Promise(setImmediate);
    expect(left).toEqual(['default 7']);
    resolve(undefined);
    await pass;
    expect(left).toEqual(['default 7', 'default 6', 'default 1', 'default 0']);
  });

  test('are all reported as left when the first is throttled', async () => {
    const { failing, left, reconcile } = startUpdating(...many.slice(0, 7));
    failing.set('m000', refusing('throttled'));
    await expect(reconcile()).rejects.toThrow('throttled');
    expect(left).toEqual(['default 7']);
  });

  test('are reported as left when one of a group is throttled, without those of the group that were updated', async () => {
    const { failing, left, reconcile } = startUpdating(...many.slice(0, 7));
    failing.set('m002', refusing('throttled'));
    await expect(reconcile()).rejects.toThrow('throttled');
    expect(left).toEqual(['default 7', 'default 6', 'default 2']);
  });
});

describe('a machine that cannot be brought', () => {
  test('does not keep the others from it, and is tried again', async () => {
    const { brought, failing, reconcile } = startUpdating(acmeClaim('a'), acmeClaim('b'));
    failing.set('a', refusing('not now'));
    await expect(reconcile()).rejects.toThrow('not now');
    expect(brought).toEqual(['b gold']);
  });

  test('for a reason that all share ends the round', async () => {
    const { brought, failing, reconcile } = startUpdating(acmeClaim('a'), acmeClaim('b'));
    failing.set('a', refusing('signed out'));
    await expect(reconcile()).rejects.toThrow('signed out');
    expect(brought).toEqual([]);
  });
});
