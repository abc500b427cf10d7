import { describe, expect, test } from '@jest/globals';
import type { ObjectCache } from '../cache/object-cache.ts';
import { fakeClock } from '../clock/fake-clock.ts';
import { type Controller, type Outcome, requeueAfter, settled, type SingletonController } from '../controller/controller.ts';
import { testCache } from '../controller/test-cache.ts';
import { createLeaderElector } from '../election/leader-elector.ts';
import { testLeaseStore } from '../election/test-lease-store.ts';
import { silentLogger } from '../log/logger.ts';
import { createManager, type ManagerOptions } from './create-manager.ts';

const rejection = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** A cache that syncs when the test says so. */
const slowCache = () => {
  const synced = Promise.withResolvers<undefined>();
  const inner = testCache<number>('Number');
  let isSynced = false;
  const cache: ObjectCache<number> = {
    ...inner,
    hasSynced: () => isSynced,
    waitForSync: (signal) => Promise.race([synced.promise, rejection(signal)]),
  };
  const sync = (): void => {
    isSynced = true;
    synced.resolve(undefined);
  };
  return { cache, sync, put: (name: string, value: number) => inner.put(name, value) };
};

const managing = (options: Partial<ManagerOptions> = {}) => {
  const clock = fakeClock();
  const { cache, sync, put } = slowCache();
  const end = new AbortController();
  const bugs: unknown[] = [];
  const seen: number[] = [];
  const controller: Controller<number> = {
    name: 'test.numbers',
    kind: 'Number',
    reconcile: (value) => {
      seen.push(value);
      return Promise.resolve(settled);
    },
  };
  const manager = createManager({
    clock,
    logger: silentLogger,
    caches: [cache],
    controllers: [controller],
    onFatal: (error) => void bugs.push(error),
    ...options,
  });
  return { clock, cache, sync, put, end, bugs, seen, manager, start: () => manager.run(end.signal) };
};

describe('a manager', () => {
  test('starts its controllers once every cache is synced, and is ready then', async () => {
    const { clock, manager, put, seen, start, sync } = managing();
    put('a', 1);
    void start();
    await clock.advance(1_000);
    expect(seen).toEqual([]);
    expect(manager.readyz.failing()).toEqual(new Map([['cache of Number', 'not synced yet']]));
    sync();
    await clock.advance(0);
    expect(seen).toEqual([1]);
    expect(manager.readyz.failing().size).toBe(0);
  });

  test('runs controllers only while it leads', async () => {
    const clock = fakeClock();
    const store = testLeaseStore();
    const electorOf = (identity: string) =>
      createLeaderElector({ client: store.client(), clock, identity, lease: { namespace: 'n', name: 'l' } });
    const first = managing({ clock, elector: electorOf('first') });
    const second = managing({ clock, elector: electorOf('second') });
    for (const each of [first, second]) {
      each.put('a', 1);
      each.sync();
    }
    const ended = first.start();
    void second.start();
    await clock.advance(1_000);
    expect([first.seen, second.seen]).toEqual([[1], []]);
    first.end.abort();
    expect(await ended).toBe('finished');
    await clock.advance(5_000);
    expect([first.seen, second.seen]).toEqual([[1], [1]]);
  });

  test('when stopped, waits for the reconciles under way, but no longer than allowed', async () => {
    const reconcile = (): Promise<never> => new Promise(() => undefined);
    const { clock, put, end, start, sync } = managing({
      shutdownDeadlineMs: 20_000,
      controllers: [{ name: 'stubborn', kind: 'Number', reconcile }],
    });
    put('a', 1);
    sync();
    let isEnded = false;
    const run = start().then(() => {
      isEnded = true;
    });
    await clock.advance(0);
    end.abort();
    await clock.advance(19_999);
    expect(isEnded).toBe(false);
    await clock.advance(1);
    await run;
    expect(clock.pendingTimers).toBe(0);
  });

  test('that is stopped before it is synced ends at once', async () => {
    const { end, start } = managing();
    const run = start();
    end.abort();
    expect(await run).toBe('finished');
  });

  test('is no longer healthy when a reconcile does not come back', async () => {
    const reconcile = (): Promise<never> => new Promise(() => undefined);
    const { clock, manager, put, start, sync } = managing({
      stuckAfterMs: 60_000,
      controllers: [{ name: 'stuck', kind: 'Number', reconcile }],
    });
    put('a', 1);
    sync();
    void start();
    await clock.advance(59_000);
    expect(manager.healthz.failing().size).toBe(0);
    await clock.advance(1_000);
    expect(manager.healthz.failing()).toEqual(new Map([['loops', 'a reconcile of stuck has been under way for 60 s']]));
  });

  describe('with a singleton that does not come back', () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (...line: readonly unknown[]) => void errors.push(line) };
    const never = (): Promise<never> => new Promise(() => undefined);
    const failingAfter = async (singleton: SingletonController): Promise<readonly (readonly [string, string])[]> => {
      const { clock, manager, start, sync } = managing({ stuckAfterMs: 60_000, singletons: [singleton], logger });
      sync();
      void start();
      await clock.advance(60_000);
      manager.healthz.failing();
      return [...manager.healthz.failing()];
    };

    test('is no longer healthy, and names that one', async () => {
      expect(await failingAfter({ name: 'collector', reconcile: never })).toEqual([
        ['loops', 'a reconcile of collector has been under way for 60 s'],
      ]);
      expect(errors).toEqual([['a loop is stuck: the process is no longer healthy', { controller: 'collector', underWayMs: 60_000 }]]);
    });

    test('stays healthy, where that one waits for work', async () => {
      expect(await failingAfter({ name: 'planner', untilWork: never, reconcile: never })).toEqual([]);
    });

    test('is no longer healthy, where that one came back before, and again once it gets on', async () => {
      let runs = 0;
      let goOn = (): void => undefined;
      const reconcile = async (): Promise<Outcome> => {
        runs += 1;
        if (runs === 3) await new Promise<void>((resolve) => (goOn = resolve));
        return requeueAfter(50_000);
      };
      const { clock, manager, start, sync } = managing({ stuckAfterMs: 60_000, singletons: [{ name: 'refresher', reconcile }] });
      sync();
      void start();
      await clock.advance(159_000);
      expect(manager.healthz.failing().size).toBe(0);
      await clock.advance(1_000);
      expect([...manager.healthz.failing().values()]).toEqual(['a reconcile of refresher has been under way for 60 s']);
      goOn();
      await clock.advance(0);
      expect(manager.healthz.failing().size).toBe(0);
    });
  });

  test('runs singletons beside controllers', async () => {
    let runs = 0;
    const reconcile = () => {
      runs += 1;
      return Promise.resolve(requeueAfter(1_000));
    };
    const { clock, start, sync } = managing({ singletons: [{ name: 'once a second', reconcile }] });
    sync();
    void start();
    await clock.advance(2_500);
    expect(runs).toBe(3);
  });

  test('with a singleton that has a bug stays ready and healthy, and runs the others', async () => {
    let runs = 0;
    const broken = { name: 'broken', reconcile: () => Promise.reject(new TypeError('bug')) };
    const reconcile = () => {
      runs += 1;
      return Promise.resolve(requeueAfter(1_000));
    };
    const { clock, bugs, manager, start, sync } = managing({ singletons: [broken, { name: 'once a second', reconcile }] });
    sync();
    void start();
    await clock.advance(2_500);
    expect([runs, bugs, manager.readyz.failing().size, manager.healthz.failing().size]).toEqual([3, [], 0, 0]);
  });

  test('reports the bug of a cache as fatal', async () => {
    const cache = { ...testCache<number>('Number'), run: () => Promise.reject(new TypeError('broken')) };
    const { clock, bugs, start } = managing({ caches: [cache] });
    void start();
    await clock.advance(0);
    expect(bugs).toEqual([new TypeError('broken')]);
  });

  test('with two caches of one kind is a bug', () => {
    expect(() => managing({ caches: [testCache('A'), testCache('A')] })).toThrow('two caches follow one kind');
  });
});
