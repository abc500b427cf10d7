import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FakeClock, fakeClock } from '@karpenter/runtime';
import type { ApiServer, KindRef, ApiObject, LocalEvent } from '../public/index.ts';
import { startApiServer } from '../start-api-server.ts';

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

  test('the claim of an ephemeral volume has a volume mode', () => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const volume = { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } };
    const pod = server.local.create<Pod>({ ...aPod('a'), spec: { containers: [{ name: 'c', image: 'i' }], volumes: [volume] } });
    expect(pod.spec).toMatchObject({ volumes: [{ ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } }] });
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
