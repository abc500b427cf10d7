import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FakeClock, fakeClock } from '@karpenter/runtime';
import type { ApiServer, KindRef, ApiObject, LocalEvent } from '../public/index.ts';
import { startApiServer } from '../start-api-server.ts';
import { aConfigMap } from '../fixtures/a-config-map.ts';

interface Pod extends ApiObject {
  readonly spec?: object;
  readonly status?: object;
}

const pods: KindRef<Pod> = { kind: 'Pod' };
const aPod = (name: string, metadata: object = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

describe('the in-process API', () => {
  let clock: FakeClock;
  let server: ApiServer;
  beforeEach(async () => {
    clock = fakeClock();
    server = await startApiServer({ clock });
  });
  afterEach(() => server.close());

  test('objects are frozen and shared, and a missing one is undefined', () => {
    const pod = server.local.create(aPod('a'));
    expect(Object.isFrozen(pod.spec)).toBe(true);
    expect(server.local.get(pods, { name: 'a' })).toBe(pod);
    expect(server.local.get(pods, { name: 'b' })).toBeUndefined();
  });

  test('a write with an old resourceVersion is a Conflict', () => {
    const old = server.local.create(aPod('a'));
    server.local.patch(pods, { name: 'a' }, { type: 'merge', body: { metadata: { labels: { x: 'y' } } } });
    expect(() => server.local.update(old)).toThrow(expect.objectContaining({ code: 'Conflict' }));
  });

  test('a watch sends existing objects, then every change inside the call that made it', () => {
    server.local.create(aPod('a'));
    const story: string[] = [];
    using _watch = server.local.watch(pods, ({ type, object }: LocalEvent<Pod>) => story.push(`${type} ${object.metadata.name ?? ''}`));
    server.local.create(aPod('b'));
    server.local.delete(pods, { name: 'a' });
    expect(story).toEqual(['ADDED a', 'ADDED b', 'DELETED a']);
  });

  test('a write made by a listener is heard after the write that caused it', () => {
    const story: string[] = [];
    using _first = server.local.watch(pods, ({ object, type }: LocalEvent<Pod>) => {
      if (type === 'ADDED' && object.metadata.name === 'a') server.local.create(aPod('b'));
    });
    using _second = server.local.watch(pods, ({ object }: LocalEvent<Pod>) => story.push(object.metadata.name ?? ''));
    server.local.create(aPod('a'));
    expect(story).toEqual(['a', 'b']);
  });

  test('what a listener writes while it hears what is there is heard after it', () => {
    server.local.create(aPod('a'));
    server.local.create(aPod('c'));
    const story: string[] = [];
    using _watch = server.local.watch(pods, ({ object }: LocalEvent<Pod>) => {
      story.push(object.metadata.name ?? '');
      if (object.metadata.name === 'a') server.local.create(aPod('b'));
    });
    expect(story).toEqual(['a', 'c', 'b']);
  });

  test('a watch opened by a listener does not hear twice of what it began with', () => {
    const story: string[] = [];
    const open: Disposable[] = [];
    using _first = server.local.watch(pods, () => {
      if (open.length === 0) open.push(server.local.watch(pods, ({ object }: LocalEvent<Pod>) => story.push(object.metadata.name ?? '')));
    });
    server.local.create(aPod('a'));
    server.local.create(aPod('b'));
    expect(story).toEqual(['a', 'b']);
    open.forEach((watch) => watch[Symbol.dispose]());
  });

  test('pods are found by the node that they are bound to', () => {
    server.local.create(aPod('a'));
    server.local.create(aPod('b'));
    server.local.bind({ name: 'a' }, 'n1');
    expect(server.local.list(pods, { fieldSelector: 'spec.nodeName=n1' }).map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  test('a bound pod is given the time that its grace leaves', () => {
    server.local.create(aPod('a'));
    server.local.bind({ name: 'a' }, 'n1');
    server.local.delete(pods, { name: 'a' });
    expect(server.local.get(pods, { name: 'a' })?.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    });
    server.local.delete(pods, { name: 'a' }, { gracePeriodSeconds: 0 });
    expect(server.local.get(pods, { name: 'a' })).toBeUndefined();
  });

  describe('garbage collection', () => {
    const owned = (name: string, owner: ApiObject, more: object = {}): ApiObject =>
      aConfigMap(name, {
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more }],
      });
    const has = (name: string): boolean => server.local.get('ConfigMap', { name }) !== undefined;

    test('a dependent goes with its last owner', () => {
      const [one, two] = [server.local.create(aConfigMap('one')), server.local.create(aConfigMap('two'))];
      const both = owned('both', one);
      server.local.create({
        ...both,
        metadata: {
          ...both.metadata,
          ownerReferences: [...(both.metadata.ownerReferences ?? []), ...(owned('x', two).metadata.ownerReferences ?? [])],
        },
      });
      server.local.delete('ConfigMap', { name: 'one' });
      expect(has('both')).toBe(true);
      server.local.delete('ConfigMap', { name: 'two' });
      expect(has('both')).toBe(false);
    });

    test('a foreground deletion waits for the dependents that block it', () => {
      const owner = server.local.create(aConfigMap('owner'));
      const child = owned('child', owner, { blockOwnerDeletion: true });
      server.local.create({ ...child, metadata: { ...child.metadata, finalizers: ['example.com/hold'] } });
      server.local.delete('ConfigMap', { name: 'owner' }, { propagationPolicy: 'Foreground' });
      expect([has('owner'), has('child')]).toEqual([true, true]);
      server.local.patch('ConfigMap', { name: 'child' }, { type: 'merge', body: { metadata: { finalizers: null } } });
      expect([has('owner'), has('child')]).toEqual([false, false]);
    });

    test('an orphaning deletion leaves the dependents, without the owner', () => {
      const owner = server.local.create(aConfigMap('owner'));
      server.local.create(owned('child', owner));
      server.local.delete('ConfigMap', { name: 'owner' }, { propagationPolicy: 'Orphan' });
      expect(has('owner')).toBe(false);
      expect(server.local.get('ConfigMap', { name: 'child' })?.metadata.ownerReferences).toEqual([]);
    });

    test('a dependent that is born after its owner died goes at once', () => {
      const owner = server.local.create(aConfigMap('owner'));
      server.local.delete('ConfigMap', { name: 'owner' });
      server.local.create(owned('late', owner));
      expect(has('late')).toBe(false);
    });
  });

  test('a disruption budget counts the ready pods and refuses an eviction too many', async () => {
    server.local.create({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'pdb', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
    } as ApiObject);
    for (const name of ['a', 'b']) {
      server.local.create(aPod(name, { labels: { app: 'x' } }));
      server.local.bind({ name }, 'n1');
      server.local.patch(
        pods,
        { name },
        { type: 'merge', subresource: 'status', body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } },
      );
    }
    await clock.advance(1);
    expect(server.local.get('PodDisruptionBudget', { name: 'pdb' })).toMatchObject({
      status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
    });
    server.local.evict({ name: 'a' });
    expect(() => server.local.evict({ name: 'b' })).toThrow(expect.objectContaining({ code: 'TooManyRequests' }));
  });

  test.each([
    { name: 'without a controller do not count for maxUnavailable', owner: undefined, reason: 'InsufficientPods' },
    { name: 'of a controller without a scale cannot be counted', owner: 'ConfigMap', reason: 'SyncFailed' },
  ])('pods $name, and none may be evicted', async ({ owner, reason }) => {
    const made = server.local.create(aConfigMap('owner'));
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: made.metadata.uid ?? '', controller: true };
    const spec = { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } };
    server.local.create({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'pdb' }, spec } as ApiObject);
    server.local.create(aPod('a', { labels: { app: 'x' }, ...(owner === undefined ? {} : { ownerReferences: [reference] }) }));
    server.local.bind({ name: 'a' }, 'n1');
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    server.local.patch(pods, { name: 'a' }, { type: 'merge', subresource: 'status', body: { status } });
    await clock.advance(1);
    expect(server.local.get('PodDisruptionBudget', { name: 'pdb' })).toMatchObject({
      status: { disruptionsAllowed: 0, currentHealthy: 1, expectedPods: 0, conditions: [{ status: 'False', reason }] },
    });
    expect(() => server.local.evict({ name: 'a' })).toThrow(expect.objectContaining({ code: 'TooManyRequests' }));
  });

  test('an eviction of another pod of the name leaves no mark on this one', () => {
    server.local.create(aPod('a', {}));
    expect(() => server.local.evict({ name: 'a' }, { preconditions: { uid: 'another' } })).toThrow(
      expect.objectContaining({ code: 'Conflict' }),
    );
    expect(JSON.stringify(server.local.get(pods, { name: 'a' }))).not.toContain('DisruptionTarget');
  });

  test('a name that was generated for another object is generated again', () => {
    const names = new Set<string | undefined>();
    for (let each = 0; each < 9_000; each += 1) {
      const made: ApiObject = server.local.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'pod-' } });
      names.add(made.metadata.name);
    }
    expect(names.size).toBe(9_000);
  });
});
