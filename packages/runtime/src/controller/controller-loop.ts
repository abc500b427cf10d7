import type { CacheReader, ObjectCache } from '../cache/object-cache.ts';
import { yieldToEventLoop } from '../clock/in-slices.ts';
import { keyString, type ObjectKey, parseKey } from '../objects/object-key.ts';
import { createWorkQueue } from '../queue/create-work-queue.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import { attempt, type Attempted } from './attempt.ts';
import { BugLog } from './bug-log.ts';
import { ChangePace } from './change-pace.ts';
import type { Controller } from './controller.ts';
import type { LoopEnvironment } from './loop-environment.ts';

/** Reconciles without work never await anything: thousands of them in a row would starve leases and probes. */
const KEYS_PER_TURN = 50;

/** kind → the cache that follows it. */
export type CachesByKind = ReadonlyMap<string, ObjectCache<unknown>>;

/** Where a controller finds its objects, and when it ends. */
export interface ControllerRun {
  readonly caches: CachesByKind;
  readonly signal: AbortSignal;
}

const cacheOf = (caches: CachesByKind, kind: string, controller: string): ObjectCache<unknown> => {
  const cache = caches.get(kind);
  if (cache === undefined) throw new TypeError(`controller ${controller} needs a cache of ${kind}, and there is none`);
  return cache;
};

/** Where changes make keys due, and how soon. */
interface Due {
  readonly queue: WorkQueue;
  readonly pace: ChangePace;
}

/** Feeds the queue from the caches; returns how to stop. */
const follow = ({ name, kind, watches = [] }: Controller, caches: CachesByKind, { queue, pace }: Due): (() => void) => {
  const add = (key: ObjectKey): void => {
    const text = keyString(key);
    queue.add(text, { afterMs: pace.waitMs(text) });
  };
  const own = cacheOf(caches, kind, name).subscribe(({ key }) => add(key));
  const others = watches.map((watch) =>
    cacheOf(caches, watch.kind, name).subscribe((change) => {
      for (const key of watch.keysFor(change)) add(key);
    }),
  );
  return () => [own, ...others].forEach((stop) => stop());
};

/** Requeues, delays or forgets a key after an attempt. */
const settle = (queue: WorkQueue, key: string, { result, afterMs }: Attempted): void => {
  if (result === 'failure' || result === 'conflict' || result === 'bug') {
    queue.retry(key);
    return;
  }
  queue.forget(key);
  if (afterMs !== undefined) queue.add(key, { afterMs });
};

const work = async (
  controller: Controller,
  environment: LoopEnvironment,
  shared: Due & { cache: CacheReader<unknown>; signal: AbortSignal; bugs: BugLog },
) => {
  const { queue, pace, cache, signal, bugs } = shared;
  let taken = 0;
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    taken += 1;
    if (taken % KEYS_PER_TURN === 0) await yieldToEventLoop();
    pace.reconciled(key);
    const object = cache.get(parseKey(key));
    if (object === undefined) queue.forget(key);
    else
      settle(
        queue,
        key,
        await attempt(environment, {
          controller: controller.name,
          ...{ key, signal, bugs },
          reconcile: (context) => controller.reconcile(object, context),
        }),
      );
    queue.done(key);
  }
};

/**
 * Runs one controller until the signal is aborted and the reconciles under way have ended.
 *
 * Assumptions: the caches are synced; a controller that starts earlier would take absence for deletion.
 */
export const runController = async (
  controller: Controller,
  environment: LoopEnvironment,
  { caches, signal }: ControllerRun,
): Promise<void> => {
  const { clock, backoff, metrics, logger } = environment;
  const queueMetrics = metrics?.queue(controller.name);
  const queue = createWorkQueue({
    clock,
    ...(backoff === undefined ? {} : { backoff }),
    ...(queueMetrics === undefined ? {} : { metrics: queueMetrics }),
  });
  const pace = new ChangePace(clock);
  const stop = follow(controller, caches, { queue, pace });
  const onAbort = (): void => queue.shutDown();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const shared = { queue, pace, cache: cacheOf(caches, controller.kind, controller.name), signal, bugs: new BugLog(logger) };
  await Promise.all(Array.from({ length: controller.concurrency ?? 1 }, () => work(controller, environment, shared)));
  stop();
};
