import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '../clock/fake-clock.ts';
import { createObjectCache, type ObjectCacheOptions } from './create-object-cache.ts';
import { modelCluster } from './testing/model-cluster.ts';
import type { Thing } from './testing/model-things.ts';
import type { ObjectPage } from '../client/verbs/kube-client.ts';
import type { ListProgress } from './list-watch-run.ts';
import type { CacheChange } from './object-cache.ts';

const following = (options: Partial<ObjectCacheOptions<Thing, Thing>> = {}) => {
  const clock = fakeClock();
  const cluster = modelCluster();
  const cache = createObjectCache<Thing>({ client: cluster.client, kind: 'Thing', clock, random: () => 0, ...options });
  const end = new AbortController();
  const changes: string[] = [];
  cache.subscribe((change: CacheChange<Thing>) => void changes.push(`${change.type} ${change.object.metadata.uid ?? ''}`));
  return { clock, cluster, cache, changes, run: () => cache.run(end.signal), stop: () => end.abort() };
};

describe('the first read', () => {
  test('comes in pages and is seen as a whole', async () => {
    const { clock, cluster, cache, run } = following();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) cluster.put(name, 0);
    void run();
    expect([cache.hasSynced(), cache.size]).toEqual([false, 0]);
    await clock.advance(0);
    expect([cache.hasSynced(), cache.size]).toEqual([true, 7]);
    expect(cluster.calls).toEqual(['list', 'list from 3', 'list from 6', 'watch 8']);
  });

  test.each([
    ['asks for the next page meanwhile', {}, ['page 0', 'page 1', 'keep a', 'page 2', 'keep b', 'keep c']],
    ['asks for pages of large objects one at a time', { isReduced: true }, ['page 0', 'keep a', 'page 1', 'keep b', 'page 2', 'keep c']],
  ])('%s', async (_, more, expected) => {
    const steps: string[] = [];
    const names = ['a', 'b', 'c'];
    const { cluster } = following();
    const listPage: ObjectCacheOptions<Thing, Thing>['client']['listPage'] = (_kind, { continue: token = '0' } = {}) => {
      steps.push(`page ${token}`);
      const next = Number(token) + 1;
      const metadata = { name: names[next - 1] ?? '', uid: token, resourceVersion: '1' };
      const page = { items: [{ metadata, value: 0 }], resourceVersion: '1', ...(next < 3 && { continue: String(next) }), ...more };
      return Promise.resolve(page as unknown as ObjectPage<never>);
    };
    const { cache, clock, run } = following({
      client: { ...cluster.client, listPage },
      transform: (thing) => {
        steps.push(`keep ${thing.metadata.name}`);
        return thing;
      },
    });
    void run();
    await clock.advance(0);
    expect(cache.size).toBe(3);
    expect(steps).toEqual(expected);
  });

  test('reports before each page after which object it comes, and its end', async () => {
    const reported: [string, ListProgress][] = [];
    const { clock, cluster, run } = following({ onList: (...report) => void reported.push(report) });
    for (const name of ['a', 'b', 'c', 'd']) cluster.put(name, 0);
    cluster.failNext(undefined, 'server');
    void run();
    await clock.advance(500);
    const begin = [{ isListing: true }, { isListing: true, last: { name: 'c' } }, { isListing: false }];
    expect(reported).toEqual([...begin, ...begin].map((progress) => ['Thing', progress]));
  });

  test('that is refused as a stream comes in pages', async () => {
    const { clock, cluster, cache, run } = following({ initialRead: 'stream' });
    cluster.put('a', 0);
    cluster.failNext('invalid');
    void run();
    await clock.advance(500);
    expect(cache.size).toBe(1);
    expect(cluster.calls).toEqual(['watch all', 'list', 'watch 2']);
  });

  test('as a stream leaves out what is deleted while the rest still comes', async () => {
    const { clock, cluster, cache, run } = following({ initialRead: 'stream' });
    for (const name of ['a', 'b']) cluster.put(name, 0);
    cluster.lag(true);
    void run();
    await clock.advance(0);
    cluster.remove('a');
    cluster.put('b', 1);
    cluster.lag(false);
    await clock.advance(0);
    expect(cache.list().map(({ metadata: { name }, value }) => [name, value])).toEqual([['b', 1]]);
  });

  test('that fails is tried again, later each time', async () => {
    const { clock, cluster, cache, run } = following();
    cluster.failNext('too-many-requests', 'server', 'network', 'unauthorized');
    void run();
    const callsAfter = async (ms: number): Promise<number> => {
      await clock.advance(ms);
      return cluster.calls.length;
    };
    expect(await callsAfter(499)).toBe(1);
    expect(await callsAfter(1)).toBe(2);
    expect(await callsAfter(999)).toBe(2);
    expect(await callsAfter(1)).toBe(3);
    expect(await callsAfter(2_000)).toBe(4);
    expect(cache.hasSynced()).toBe(false);
    await clock.advance(4_000);
    expect(cache.hasSynced()).toBe(true);
  });
});

describe('an optional kind', () => {
  const logged = () => {
    const lines: string[] = [];
    const note = (message: string): void => void lines.push(message);
    return { lines, logger: { debug: note, info: note, warn: note, error: note } };
  };

  test('when the server does not serve it › counts as empty and synced, and one line says so', async () => {
    const { lines, logger } = logged();
    const { clock, cluster, cache, run } = following({ isOptional: true, logger });
    cluster.failNext(...Array.from({ length: 9 }, () => 'not-found' as const));
    void run();
    await clock.advance(60_000);
    expect([cache.hasSynced(), cache.size]).toEqual([true, 0]);
    expect(lines).toEqual([expect.stringContaining('does not serve this kind')]);
  });

  test('that is usually absent, when the server does not serve it › counts as synced, and no warning says so', async () => {
    const { lines, logger } = logged();
    const { clock, cluster, cache, run } = following({ isOptional: 'usually-absent', logger: { ...logger, debug: () => undefined } });
    cluster.failNext('not-found');
    void run();
    await clock.advance(0);
    expect([cache.hasSynced(), lines]).toEqual([true, []]);
  });

  test('that is usually absent, when the server forbids it › counts as synced, and one warning names the role; later it is followed', async () => {
    const { lines, logger } = logged();
    const { clock, cluster, cache, run } = following({ isOptional: 'usually-absent', logger });
    cluster.put('a', 0);
    cluster.failNext('forbidden', 'forbidden');
    void run();
    await clock.advance(0);
    expect([cache.hasSynced(), cache.size, lines]).toEqual([true, 0, [expect.stringContaining('a role is missing')]]);
    await clock.advance(2_000);
    expect([cache.size, lines.slice(1)]).toEqual([1, [expect.stringContaining('serves this kind now')]]);
  });

  test('when its definition is applied later › is followed from then on', async () => {
    const { lines, logger } = logged();
    const { clock, cluster, changes, run } = following({ isOptional: true, logger });
    cluster.put('a', 0);
    cluster.failNext('not-found', 'not-found');
    void run();
    await clock.advance(1_500);
    expect(changes).toEqual(['added life-1']);
    expect(lines).toEqual([expect.stringContaining('does not serve'), expect.stringContaining('serves this kind now')]);
  });

  test('when its definition is deleted › its objects are gone', async () => {
    const { clock, cluster, cache, changes, run } = following({ isOptional: true });
    cluster.put('a', 0);
    void run();
    await clock.advance(0);
    cluster.failNext('not-found');
    cluster.breakWatches('not-found');
    await clock.advance(0);
    expect([changes, cache.size]).toEqual([['added life-1', 'deleted life-1'], 0]);
  });

  test('when the server forbids it › is not synced', async () => {
    const { clock, cluster, cache, run } = following({ isOptional: true });
    cluster.failNext('forbidden', 'forbidden');
    void run();
    await clock.advance(1_000);
    expect(cache.hasSynced()).toBe(false);
  });
});

test('a kind that is not optional and not served is not synced', async () => {
  const { clock, cluster, cache, run } = following();
  cluster.failNext('not-found');
  void run();
  await clock.advance(0);
  expect(cache.hasSynced()).toBe(false);
});

describe('an object that was deleted and made again in a gap', () => {
  test('is reported as a deletion and an addition', async () => {
    const { clock, cluster, changes, run } = following();
    cluster.put('a', 0);
    void run();
    await clock.advance(0);
    cluster.breakWatches('network');
    cluster.remove('a');
    cluster.put('a', 0);
    cluster.compact();
    await clock.advance(10_000);
    expect(changes).toEqual(['added life-1', 'deleted life-1', 'added life-2']);
  });
});

describe('a watch', () => {
  test('that ends in good order after a while goes on at once from where it was', async () => {
    const { clock, cluster, run } = following();
    void run();
    await clock.advance(6_000);
    cluster.put('a', 0);
    await clock.advance(0);
    cluster.breakWatches();
    await clock.advance(0);
    expect(cluster.calls).toEqual(['list', 'watch 1', 'watch 2']);
  });

  test('that keeps failing leads to a fresh list', async () => {
    const { clock, cluster, run } = following();
    void run();
    await clock.advance(0);
    cluster.failNext('unavailable', 'unavailable', 'unavailable', 'unavailable');
    cluster.breakWatches('unavailable');
    await clock.advance(60_000);
    expect(cluster.calls).toEqual(['list', 'watch 1', 'watch 1', 'watch 1', 'watch 1', 'watch 1', 'list', 'watch 1']);
  });

  test('that hangs on a dead connection is aborted', async () => {
    const { clock, cluster, run } = following();
    void run();
    await clock.advance(330_000);
    expect(cluster.calls).toEqual(['list', 'watch 1']);
    await clock.advance(1_000);
    expect(cluster.calls).toEqual(['list', 'watch 1', 'watch 1']);
  });
});

describe('reading one’s own write', () => {
  test('waits until the written version is in the cache', async () => {
    const { clock, cluster, cache, run } = following();
    void run();
    await clock.advance(0);
    let isSeen = false;
    const seen = cache.waitFor('2').then(() => {
      isSeen = true;
      expect(cache.get({ name: 'a' })?.value).toBe(7);
    });
    await clock.advance(0);
    expect(isSeen).toBe(false);
    cluster.put('a', 7);
    await clock.advance(0);
    await seen;
    await cache.waitFor('1');
  });

  test('can be aborted', async () => {
    const { cache } = following();
    const controller = new AbortController();
    const waiting = cache.waitFor('9', controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('a listener', () => {
  test('that throws is logged and does not keep others from hearing', async () => {
    const errors: string[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (message: string) => void errors.push(message),
    };
    const bugs: string[] = [];
    const onBug = (error: unknown, where: string): void => void bugs.push(`${where}: ${String(error)}`);
    const { clock, cluster, cache, run } = following({ logger, onBug });
    const heard: string[] = [];
    cache.subscribe(() => {
      throw new Error('broken');
    });
    cache.subscribe(({ key }) => void heard.push(key.name));
    cluster.put('a', 0);
    void run();
    await clock.advance(0);
    expect([heard, errors, bugs]).toEqual([['a'], ['a cache listener threw'], ['cache.Thing: Error: broken']]);
  });

  test('that subscribes late gets the current objects, and nothing after it has unsubscribed', async () => {
    const { clock, cluster, cache, run } = following();
    cluster.put('a', 0);
    void run();
    await clock.advance(0);
    const heard: string[] = [];
    const leave = cache.subscribe(({ type, key }) => void heard.push(`${type} ${key.name}`));
    leave();
    cluster.put('b', 0);
    await clock.advance(0);
    expect(heard).toEqual(['added a']);
  });
});

describe('a transform', () => {
  test('decides what is kept', async () => {
    const clock = fakeClock();
    const cluster = modelCluster();
    const cache = createObjectCache<Thing, number>({
      client: cluster.client,
      kind: 'Thing',
      clock,
      transform: ({ value }) => (value < 5 ? value : undefined),
    });
    cluster.put('small', 1);
    cluster.put('large', 9);
    void cache.run(new AbortController().signal);
    await clock.advance(0);
    expect(cache.list()).toEqual([1]);
    cluster.put('small', 8);
    await clock.advance(0);
    expect(cache.list()).toEqual([]);
  });

  test('that throws for one object leaves out that one, and the bug is counted', async () => {
    const bugs: string[] = [];
    const onBug = (error: unknown, where: string): void => void bugs.push(`${where}: ${String(error)}`);
    const transform = (thing: Thing): Thing => {
      if (thing.value === 1) throw new RangeError('odd');
      return thing;
    };
    const { clock, cluster, cache, run } = following({ transform, onBug });
    cluster.put('a', 1);
    cluster.put('b', 2);
    void run();
    await clock.advance(0);
    expect([cache.list().map((thing) => thing.metadata.name), bugs]).toEqual([['b'], ['cache.Thing: RangeError: odd']]);
  });

  test('drops managedFields when none is given', async () => {
    const { clock, cluster, cache, run } = following();
    cluster.put('a', 1);
    Object.assign(cluster.things.get('a')?.metadata ?? {}, { managedFields: [{ manager: 'x' }] });
    void run();
    await clock.advance(0);
    expect(cache.get({ name: 'a' })?.metadata).toEqual({ name: 'a', uid: 'life-1', resourceVersion: '2' });
  });
});

test('an index that was not declared is a bug', () => {
  expect(() => following().cache.byIndex('none', 'x')).toThrow(TypeError);
});

test('a bug below the cache ends its run', async () => {
  const client = { ...modelCluster().client, listPage: () => Promise.reject(new TypeError('no such kind')) };
  await expect(following({ client }).run()).rejects.toThrow('no such kind');
});
