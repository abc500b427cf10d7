import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeErrorCode } from '../client/kube-error.ts';
import { fakeClock } from '../clock/fake-clock.ts';
import { createObjectCache } from './create-object-cache.ts';
import { modelCluster, type ModelCluster } from './testing/model-cluster.ts';
import type { Thing } from './testing/model-things.ts';
import type { CacheChange } from './object-cache.ts';

type Command = (cluster: ModelCluster) => void;

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const trouble = fc.constantFrom<KubeErrorCode>(
  'network',
  'timeout',
  'server',
  'unavailable',
  'too-many-requests',
  'expired',
  'malformed',
  'unauthorized',
  'invalid',
);

const command: fc.Arbitrary<{ readonly waitMs: number; readonly run: Command }> = fc.record({
  waitMs: fc.constantFrom(0, 0, 100, 6_000),
  run: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(name, fc.nat(9)).map(
        ([key, value]): Command =>
          (cluster) =>
            cluster.put(key, value),
      ),
    },
    {
      weight: 3,
      arbitrary: name.map(
        (key): Command =>
          (cluster) =>
            cluster.remove(key),
      ),
    },
    {
      weight: 2,
      arbitrary: name.map((key): Command => (cluster) => {
        cluster.remove(key);
        cluster.put(key, 0);
      }),
    },
    {
      weight: 2,
      arbitrary: fc.option(trouble, { nil: undefined }).map(
        (code): Command =>
          (cluster) =>
            cluster.breakWatches(code),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.array(fc.option(trouble, { nil: undefined }), { maxLength: 8 }).map(
        (codes): Command =>
          (cluster) =>
            cluster.failNext(...codes),
      ),
    },
    {
      // A gap that no watch can bridge: what happened in it is only seen by a fresh read, which may be disturbed in its turn.
      weight: 4,
      arbitrary: fc
        .tuple(fc.array(name, { maxLength: 3 }), fc.option(trouble, { nil: undefined }))
        .map(([gone, second]): Command => (cluster) => {
          cluster.breakWatches('network');
          for (const each of gone) cluster.remove(each);
          for (const each of gone.slice(1)) cluster.put(each, 1);
          cluster.compact();
          cluster.failNext(undefined, undefined, second);
        }),
    },
    { weight: 1, arbitrary: fc.constant<Command>((cluster) => cluster.compact()) },
    { weight: 1, arbitrary: fc.constant<Command>((cluster) => cluster.bookmark()) },
  ),
});

/**
 * What a listener that keeps its own books ends up with. It complains about changes that do not follow from the ones
 * before.
 */
const bookkeeper = () => {
  const books = new Map<string, Thing>();
  const listen = (change: CacheChange<Thing>): void => {
    const known = books.get(change.key.name);
    if (change.type === 'added') expect(known).toBeUndefined();
    if (change.type === 'updated') expect([known, change.previous.metadata.uid]).toEqual([change.previous, change.object.metadata.uid]);
    if (change.type === 'deleted') expect(known).toBe(change.object);
    if (change.type === 'deleted') books.delete(change.key.name);
    else books.set(change.key.name, change.object);
  };
  return { books, listen };
};

/** Eight failures in a row, each waited out for the longest time. */
const LONG_ENOUGH_MS = 400_000;

describe.each(['pages', 'stream'] as const)('a cache that begins with %s', (initialRead) => {
  test('ends up with what the cluster holds, whatever happened on the way, and so do its listeners and indexes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        const clock = fakeClock();
        const cluster = modelCluster();
        const problems: unknown[] = [];
        const cache = createObjectCache<Thing>({
          client: cluster.client,
          kind: 'Thing',
          clock,
          initialRead,
          random: () => 0.5,
          indexes: { value: (thing) => [String(thing.value)] },
          logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (...line) => void problems.push(line) },
        });
        const { books, listen } = bookkeeper();
        cache.subscribe(listen);
        const end = new AbortController();
        const run = cache.run(end.signal);
        for (const each of commands) {
          each.run(cluster);
          if (each.waitMs > 0) await clock.advance(each.waitMs);
        }
        let isSeen = false;
        void cache.waitFor(cluster.version).then(() => {
          isSeen = true;
        });
        cluster.bookmark();
        await clock.advance(LONG_ENOUGH_MS);
        // After all trouble: a bookmark reaches whoever reads the version by a watch that was opened since.
        cluster.bookmark();
        await clock.advance(1_000);

        expect(isSeen).toBe(true);
        expect(problems).toEqual([]);
        expect(new Map(cache.list().map((thing) => [thing.metadata.name, thing]))).toEqual(cluster.things);
        expect(books).toEqual(cluster.things);
        expect(cache.hasSynced()).toBe(true);
        for (let value = 0; value <= 9; value += 1) {
          const expected = cache.list().filter((thing) => thing.value === value);
          expect(new Set(cache.byIndex('value', String(value)))).toEqual(new Set(expected));
        }
        end.abort();
        await run;
        expect(clock.pendingTimers).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
