import type { KubeObject } from '../objects/kube-object.ts';
import type { KubeClient, Selection } from '../client/verbs/kube-client.ts';
import type { KubeError } from '../client/kube-error.ts';
import type { Clock } from '../clock/clock.ts';
import { type Logger, silentLogger } from '../log/logger.ts';
import { reportSafely } from '../log/safe-report.ts';
import { keyString, parseKey } from '../objects/object-key.ts';
import { cacheContents } from './cache-contents.ts';
import type { IndexFunctions } from './object-indexes.ts';
import type { InitialRead } from './list-watch.ts';
import type { ListProgress } from './list-watch-run.ts';
import { listeners } from './listeners.ts';
import { runListWatch } from './list-watch-loop.ts';
import type { ObjectCache } from './object-cache.ts';
import { objectStore } from './object-store.ts';
import { versionWaiters } from './version-waiters.ts';

/**
 * The object without `metadata.managedFields`, which is often half of its size and read by nobody here. Changes the
 * object itself.
 */
export const dropManagedFields = <T extends KubeObject>(object: T): T => {
  delete (object.metadata as { managedFields?: unknown }).managedFields;
  return object;
};

/** What a cache follows and how it keeps it. */
export interface ObjectCacheOptions<T, S> {
  readonly client: Pick<KubeClient, 'listPage' | 'watch'>;
  readonly kind: string;
  readonly clock: Clock;
  readonly logger?: Logger;
  /**
   * What is kept of each object, `undefined` for nothing; drops managedFields when left out. May change the object it
   * is given.
   */
  readonly transform?: (object: T) => S | undefined;
  readonly indexes?: IndexFunctions<S>;
  readonly selection?: Selection;
  /** `pages` when left out. A server that refuses `stream` is read in pages. */
  readonly initialRead?: InitialRead;
  /**
   * A kind that the server need not serve. Until it does, the cache is empty and synced. `usually-absent`: that it does
   * not is no warning, and it may be forbidden.
   */
  readonly isOptional?: boolean | 'usually-absent';
  /** Uniform in [0, 1): spreads reconnects of many replicas. `Math.random` when left out. */
  readonly random?: () => number;
  /** Called with each trouble, beside the log. */
  readonly onTrouble?: (failure: KubeError) => void;
  /** Called with what a listener or the transform threw, beside the log; `where`: `cache.` and the kind. */
  readonly onBug?: (error: unknown, where: string) => void;
  /** Called before each page of a list, and when the objects of the list are the contents or the list has failed. */
  readonly onList?: (kind: string, progress: ListProgress) => void;
}

/** A cache of one kind. It does nothing until `run`. */
export const createObjectCache = <T extends KubeObject, S = T>(options: ObjectCacheOptions<T, S>): ObjectCache<S> => {
  const { kind, indexes = {}, logger = silentLogger } = options;
  // Without a transform, S is T: the type parameter's default says so, which the compiler cannot know here.
  const transform = options.transform ?? (dropManagedFields as unknown as (object: T) => S);
  const onBug = (error: unknown): void => void reportSafely({ logger, about: { kind } }, () => options.onBug?.(error, `cache.${kind}`));
  const subscribers = listeners<S>(kind, { logger, onBug });
  const store = objectStore<S>(indexes, subscribers.notify);
  const contents = cacheContents<T, S>({ store, transform, bugs: { logger, onBug } });
  const versions = versionWaiters();
  let isSynced = false;
  const synced = Promise.withResolvers<undefined>();

  const onSynced = (): void => {
    isSynced = true;
    synced.resolve(undefined);
  };

  return {
    kind,
    get: (key) => store.get(keyString(key)),
    list: () => store.values(),
    byIndex: (index, value) => store.lookUp(index, value),
    get size() {
      return store.size;
    },
    hasSynced: () => isSynced,
    waitForSync: (signal) => untilAborted(synced.promise, signal),
    waitFor: (resourceVersion, signal) => versions.waitFor(resourceVersion, signal),
    subscribe: (listener) => {
      for (const { key, value } of store.entries()) subscribers.deliver(listener, { type: 'added', key: parseKey(key), object: value });
      return subscribers.add(listener);
    },
    run: (signal) => runListWatch({ ...options, logger, contents, signal, seen: versions.seen, onSynced }),
  };
};

const untilAborted = (promise: Promise<undefined>, signal: AbortSignal | undefined): Promise<void> => {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
};
