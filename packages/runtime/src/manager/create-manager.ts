import type { ObjectCache } from '../cache/object-cache.ts';
import type { Controller, SingletonController } from '../controller/controller.ts';
import type { LoopEnvironment } from '../controller/loop-environment.ts';
import { type LoopWatch, loopWatch } from '../controller/loop-watch.ts';
import { type CachesByKind, runController } from '../controller/controller-loop.ts';
import { runSingleton } from '../controller/singleton-loop.ts';
import type { LeaderElector, LeadershipEnd } from '../election/leader-elector.ts';
import { type HealthChecks, healthChecks } from '../health/health-checks.ts';
import { settlesWithin } from './grace-period.ts';

/** What a manager runs. */
export interface ManagerOptions extends LoopEnvironment {
  /** One for each kind that controllers follow. */
  readonly caches: readonly ObjectCache<unknown>[];
  readonly controllers?: readonly Controller[];
  readonly singletons?: readonly SingletonController[];
  /** Left out: this process is the only replica, and leads at once. */
  readonly elector?: LeaderElector;
  /** How long reconciles under way may go on after a stop; 20 s when left out. */
  readonly shutdownDeadlineMs?: number;
  /**
   * Called when the state of the process can no longer be trusted: the cache that is named stopped because of a bug.
   * The application should end the process. A bug of the election rejects `run` instead.
   */
  readonly onFatal: (error: unknown, part: string) => void;
  /** A reconcile that takes longer, of one object or of a singleton, makes `healthz` fail; 10 minutes when left out. */
  readonly stuckAfterMs?: number;
}

/** Starts and ends caches and controllers in the right order. */
export interface Manager {
  /** Alive: no loop is stuck. */
  readonly healthz: HealthChecks;
  /** Ready: every cache is synced. */
  readonly readyz: HealthChecks;
  /**
   * Starts the caches and waits for them; joins the election; runs the controllers while leading. Resolves after a
   * graceful end. `lost`: leadership was lost. A process that goes on after that must call `run` again; most end and
   * are started again.
   */
  run(signal: AbortSignal): Promise<LeadershipEnd>;
}

/**
 * A cache whose driver throws has a bug: what fails outside is handled inside. Nothing that reads it can be trusted
 * from then on.
 */
const startCaches = ({ caches, onFatal }: ManagerOptions, signal: AbortSignal): Promise<unknown> =>
  Promise.all(caches.map((cache) => cache.run(signal).catch((error: unknown) => onFatal(error, `cache of ${cache.kind}`))));

const untilSynced = async (caches: readonly ObjectCache<unknown>[], signal: AbortSignal): Promise<boolean> => {
  try {
    await Promise.all(caches.map((cache) => cache.waitForSync(signal)));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
};

const byKind = (caches: readonly ObjectCache<unknown>[]): CachesByKind => {
  const table = new Map(caches.map((cache) => [cache.kind, cache]));
  if (table.size !== caches.length) throw new TypeError('two caches follow one kind');
  return table;
};

const during = async <T>(end: () => void, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } finally {
    end();
  }
};

const watched = (controller: Controller, watch: LoopWatch): Controller => ({
  ...controller,
  reconcile: (object, context) => during(watch.begin(controller.name), () => controller.reconcile(object, context)),
});

/** Waiting for work is not watched: it may last for ever. */
const watchedSingleton = (singleton: SingletonController, watch: LoopWatch): SingletonController => ({
  ...singleton,
  reconcile: (context) => during(watch.begin(singleton.name), () => singleton.reconcile(context)),
});

/** A manager; it does nothing until `run`. */
export const createManager = (options: ManagerOptions): Manager => {
  const { caches, controllers = [], singletons = [], elector, clock, logger } = options;
  const { shutdownDeadlineMs = 20_000, stuckAfterMs = 600_000 } = options;
  const watch = loopWatch(options, stuckAfterMs);
  const cachesByKind = byKind(caches);
  const healthz = healthChecks();
  const readyz = healthChecks();
  healthz.add('loops', watch.check);
  for (const cache of caches) readyz.add(`cache of ${cache.kind}`, () => (cache.hasSynced() ? undefined : 'not synced yet'));

  const lead = async (signal: AbortSignal): Promise<void> => {
    const loops = [
      ...controllers.map((controller) => runController(watched(controller, watch), options, { caches: cachesByKind, signal })),
      ...singletons.map((singleton) => runSingleton(watchedSingleton(singleton, watch), options, signal)),
    ];
    if (!(await settlesWithin({ clock, deadlineMs: shutdownDeadlineMs, signal }, Promise.all(loops))))
      logger.error('some reconciles did not end in time', { shutdownDeadlineMs });
  };

  const leadAlone = async (signal: AbortSignal): Promise<LeadershipEnd> => {
    await lead(signal);
    return 'finished';
  };

  return {
    healthz,
    readyz,
    async run(signal) {
      const cachesEnd = new AbortController();
      const cachesRun = startCaches(options, cachesEnd.signal);
      try {
        if (!(await untilSynced(caches, signal))) return 'finished';
        return await (elector === undefined ? leadAlone(signal) : elector.run(signal, lead));
      } finally {
        // Last, so that reconciles under way still read fresh objects.
        cachesEnd.abort();
        await cachesRun;
      }
    },
  };
};
