import { describe, expect, test } from '@jest/globals';
import type { ObjectCache } from '../cache/object-cache.ts';
import { KubeError } from '../client/kube-error.ts';
import { fakeClock } from '../clock/fake-clock.ts';
import { silentLogger } from '../log/logger.ts';
import { type Controller, type Outcome, type ReconcileContext, requeueAfter, settled, watchOf } from './controller.ts';
import type { LoopEnvironment } from './loop-environment.ts';
import { runController } from './controller-loop.ts';
import { runSingleton } from './singleton-loop.ts';
import { testCache } from './test-cache.ts';

type Reconcile = (value: number, context: ReconcileContext) => Promise<Outcome>;

const setting = () => {
  const clock = fakeClock();
  const bugs: unknown[] = [];
  const errors: string[] = [];
  const results: string[] = [];
  const environment: LoopEnvironment = {
    clock,
    logger: { ...silentLogger, error: (message) => void errors.push(message) },
    backoff: { baseMs: 1_000, maxMs: 60_000 },
    onBug: (error) => void bugs.push(error),
    metrics: {
      reconciled: (_, result) => void results.push(result),
      bug: () => undefined,
      queue: () => ({ depth: () => undefined, waited: () => undefined, worked: () => undefined, retried: () => undefined }),
    },
  };
  const end = new AbortController();
  return { clock, bugs, errors, results, environment, end };
};

const running = (reconcile: Reconcile, options: Partial<Controller<number>> = {}) => {
  const { end, environment, ...rest } = setting();
  const numbers = testCache<number>('Number');
  const owners = testCache<string>('Owner');
  const controller: Controller<number> = { name: 'test.numbers', kind: 'Number', reconcile, ...options };
  const caches = new Map<string, ObjectCache<unknown>>([
    ['Number', numbers],
    ['Owner', owners],
  ]);
  const start = () => runController(controller, environment, { caches, signal: end.signal });
  return { ...rest, end, numbers, owners, start };
};

const failure = (code: 'conflict' | 'server' | 'aborted'): KubeError => new KubeError(code, { code, cause: undefined });

describe('a controller', () => {
  test('is given every object that is there, then each that changes, as the cache holds it now', async () => {
    const seen: number[] = [];
    const { clock, numbers, start } = running((value) => {
      seen.push(value);
      return Promise.resolve(settled);
    });
    numbers.put('a', 1);
    void start();
    await clock.advance(0);
    numbers.put('a', 2);
    numbers.put('a', 3);
    await clock.advance(0);
    expect(new Set(seen)).toEqual(new Set([1, 3]));
    expect(seen.at(-1)).toBe(3);
  });

  test('is not given what is gone', async () => {
    const seen: number[] = [];
    const { clock, numbers, start } = running((value) => {
      seen.push(value);
      return Promise.resolve(requeueAfter(1_000));
    });
    numbers.put('a', 1);
    void start();
    await clock.advance(1_000);
    expect(seen).toEqual([1, 1]);
    numbers.remove('a');
    await clock.advance(60_000);
    expect(seen).toEqual([1, 1]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('when an object of a watched kind changes › is reconciled again', async () => {
    const seen: number[] = [];
    const watches = [watchOf<string>('Owner', ({ object }) => [{ name: object }])];
    const { clock, numbers, owners, start } = running(
      (value) => {
        seen.push(value);
        return Promise.resolve(settled);
      },
      { watches },
    );
    numbers.put('a', 1);
    numbers.put('b', 2);
    void start();
    await clock.advance(0);
    owners.put('x', 'b');
    await clock.advance(0);
    expect(seen).toEqual([1, 2, 2]);
  });

  test('when somebody takes back what each reconcile writes › works on that 100 times at once, then once a second', async () => {
    const seen: number[] = [];
    const { clock, numbers, start } = running((value) => {
      seen.push(value);
      if (value === 1) void clock.sleep(1).then(() => numbers.put('contested', 1));
      return Promise.resolve(settled);
    });
    void start();
    numbers.put('contested', 1);
    await clock.advance(1_000);
    expect(seen.length).toBeLessThanOrEqual(101);
    await clock.advance(60_000);
    expect(seen.length).toBeGreaterThan(155);
    expect(seen.length).toBeLessThanOrEqual(161);
    numbers.put('other', 2);
    await clock.advance(0);
    expect(seen.at(-1)).toBe(2);
  });

  test('after an object has come to rest › works on its changes at once again', async () => {
    const seen: number[] = [];
    const { clock, numbers, start } = running((value) => {
      seen.push(value);
      return Promise.resolve(settled);
    });
    void start();
    const change = async (times: number): Promise<void> => {
      for (let value = 1; value <= times; value++) {
        numbers.put('a', value);
        await clock.advance(0);
      }
    };
    await change(150);
    expect(seen.at(-1)).toBe(100);
    await clock.advance(1_000);
    expect(seen.at(-1)).toBe(150);
    await clock.advance(100_000);
    await change(100);
    expect(seen.length).toBe(201);
  });

  test('works on as many at a time as it may, and on no object twice', async () => {
    let atOnce = 0;
    let most = 0;
    const { clock, numbers, start } = running(
      async () => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await clock.sleep(10);
        atOnce -= 1;
        return settled;
      },
      { concurrency: 3 },
    );
    for (const name of ['a', 'b', 'c', 'd', 'e']) numbers.put(name, 1);
    void start();
    await clock.advance(5);
    numbers.put('a', 2);
    await clock.advance(100);
    expect([most, atOnce]).toEqual([3, 0]);
  });

  test('with thousands of objects that need nothing lets others have their turn', async () => {
    let reconciled = 0;
    const { numbers, start } = running(() => {
      reconciled += 1;
      return Promise.resolve(settled);
    });
    for (let each = 0; each < 5_000; each += 1) numbers.put(`n${each}`, each);
    void start();
    const other = await new Promise<number>((resolve) => {
      setImmediate(() => resolve(reconciled));
    });
    expect(other).toBeLessThanOrEqual(50);
  });

  test('ends when asked to, after the reconcile under way, whose signal is aborted', async () => {
    const { clock, numbers, start, end, results } = running(async (_, { signal }) => {
      await clock.sleep(60_000, signal);
      return settled;
    });
    numbers.put('a', 1);
    const run = start();
    await clock.advance(10);
    end.abort();
    await run;
    expect(results).toEqual(['none']);
  });

  test('without a cache of its kind is a bug', async () => {
    const { start } = running(() => Promise.resolve(settled), { kind: 'Unknown' });
    await expect(start()).rejects.toThrow('needs a cache of Unknown');
  });
});

describe('what a reconcile throws', () => {
  const failing = (error: Error) => {
    let tries = 0;
    const context = running(() => {
      tries += 1;
      return Promise.reject(error);
    });
    context.numbers.put('a', 1);
    void context.start();
    return { ...context, tries: () => tries };
  };

  test('when something outside failed: it is logged and tried again, later each time', async () => {
    const { clock, tries, errors, bugs } = failing(failure('server'));
    await clock.advance(0);
    expect(tries()).toBe(1);
    await clock.advance(1_000);
    expect(tries()).toBe(2);
    await clock.advance(1_999);
    expect(tries()).toBe(2);
    await clock.advance(1);
    expect(tries()).toBe(3);
    expect([errors.length, bugs]).toEqual([3, []]);
  });

  test('when somebody else wrote first: it is tried again without a word', async () => {
    const { clock, tries, errors, results } = failing(failure('conflict'));
    await clock.advance(1_000);
    expect([tries(), errors, results]).toEqual([2, [], ['conflict', 'conflict']]);
  });

  test('when the loop is ending: nothing follows', async () => {
    const { clock, tries, errors, end } = failing(failure('server'));
    end.abort();
    await clock.advance(60_000);
    expect([tries(), errors]).toEqual([1, []]);
  });

  test('when a call met a time limit that the reconcile set itself: the work is not done, so it is tried again', async () => {
    const { clock, tries } = failing(failure('aborted'));
    await clock.advance(1_000);
    expect(tries()).toBe(2);
    const foreign = failing(new DOMException('aborted', 'AbortError'));
    await foreign.clock.advance(1_000);
    expect(foreign.tries()).toBe(2);
  });

  test('when it has a bug: it is logged once, counted and tried again, later each time', async () => {
    const bug = new TypeError('x is undefined');
    const { clock, tries, bugs, errors, results } = failing(bug);
    await clock.advance(3_000);
    expect([tries(), bugs]).toEqual([3, [bug, bug, bug]]);
    expect(errors).toEqual(['reconcile has a bug; it is retried']);
    expect(results).toEqual(['bug', 'bug', 'bug']);
  });

  test('a bug of one object keeps no other object waiting', async () => {
    const seen: number[] = [];
    const { clock, numbers, start } = running((value) => {
      if (value === 13) throw new RangeError('Invalid time value');
      seen.push(value);
      return Promise.resolve(settled);
    });
    numbers.put('odd', 13);
    for (let each = 1; each <= 5; each += 1) numbers.put(`n${each}`, each);
    void start();
    await clock.advance(0);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test('a bug that comes again after a success is logged again', async () => {
    let isBroken = true;
    const { clock, numbers, errors, start } = running(() =>
      isBroken ? Promise.reject(new TypeError('x is undefined')) : Promise.resolve(settled),
    );
    numbers.put('a', 1);
    void start();
    await clock.advance(1_000);
    isBroken = false;
    await clock.advance(2_000);
    isBroken = true;
    numbers.put('a', 2);
    await clock.advance(0);
    expect(errors).toHaveLength(2);
  });

  test('counts from the beginning again after a success', async () => {
    let tries = 0;
    const { clock, numbers, start } = running(() => {
      tries += 1;
      return tries === 3 ? Promise.resolve(settled) : Promise.reject(failure('server'));
    });
    numbers.put('a', 1);
    void start();
    await clock.advance(3_000);
    expect(tries).toBe(3);
    numbers.put('a', 2);
    await clock.advance(1_000);
    expect(tries).toBe(5);
  });
});

test('metrics and a logger that throw fail no reconcile', async () => {
  const { clock, environment, end, bugs } = setting();
  const broken = (): never => {
    throw new TypeError('Value is not a valid number');
  };
  let runs = 0;
  const reconcile = () => {
    runs += 1;
    return runs === 2 ? Promise.reject(new TypeError('a bug')) : Promise.resolve(requeueAfter(1_000));
  };
  const logger = { debug: broken, info: broken, warn: broken, error: broken };
  const metrics = { reconciled: broken, bug: broken, queue: broken };
  void runSingleton({ name: 'test.singleton', reconcile }, { ...environment, logger, metrics }, end.signal);
  await clock.advance(5_000);
  end.abort();
  expect(runs).toBeGreaterThanOrEqual(4);
  expect(bugs).toHaveLength(1);
});

describe('a singleton', () => {
  test('runs when its outcomes ask, and no more once it settled', async () => {
    const { clock, environment, end } = setting();
    const ranAt: number[] = [];
    const startMs = clock.now();
    const run = runSingleton(
      {
        name: 'test.singleton',
        reconcile: () => {
          ranAt.push(clock.now() - startMs);
          return Promise.resolve(ranAt.length < 3 ? requeueAfter(10_000) : settled);
        },
      },
      environment,
      end.signal,
    );
    await clock.advance(60_000);
    await run;
    expect(ranAt).toEqual([0, 10_000, 20_000]);
  });

  test('that has a bug tries again, and is logged once', async () => {
    const { clock, environment, end, results, errors } = setting();
    const run = runSingleton({ name: 'test.singleton', reconcile: () => Promise.reject(new TypeError('bug')) }, environment, end.signal);
    await clock.advance(7_000);
    end.abort();
    await run;
    expect(results).toEqual(['bug', 'bug', 'bug', 'bug']);
    expect(errors).toEqual(['reconcile has a bug; it is retried']);
  });

  test('that contains a bug itself goes on, and the bug is reported', async () => {
    const { clock, environment, end, results, errors, bugs } = setting();
    const reconcile = ({ foundBug }: ReconcileContext) => {
      foundBug?.(new TypeError('bug'));
      return Promise.resolve(requeueAfter(1_000));
    };
    const run = runSingleton({ name: 'test.singleton', reconcile }, environment, end.signal);
    await clock.advance(1_500);
    end.abort();
    await run;
    expect(results).toEqual(['requeue', 'requeue']);
    expect([bugs.length, errors]).toEqual([2, ['reconcile has a bug; it is retried']]);
  });

  test('that fails tries again, later each time, until it is stopped', async () => {
    const { clock, environment, end, results } = setting();
    const run = runSingleton({ name: 'test.singleton', reconcile: () => Promise.reject(failure('server')) }, environment, end.signal);
    await clock.advance(7_000);
    end.abort();
    await run;
    expect(results).toEqual(['failure', 'failure', 'failure', 'failure']);
    expect(clock.pendingTimers).toBe(0);
  });
});
