import type { Logger } from '../log/logger.ts';
import { logSafely } from '../log/safe-report.ts';
import type { CacheChange, CacheListener } from './object-cache.ts';

/** Subscribers to changes. */
export interface Listeners<T> {
  add(listener: CacheListener<T>): () => void;
  readonly notify: (change: CacheChange<T>) => void;
  /** Notifies one listener only. */
  deliver(listener: CacheListener<T>, change: CacheChange<T>): void;
}

/** Where bugs go that a cache contains. */
export interface BugReports {
  readonly logger: Logger;
  /** Counts them; never throws. */
  readonly onBug: (error: unknown) => void;
}

/** No listeners yet. One that throws is logged and counted, and does not keep the others from hearing. */
export const listeners = <T>(kind: string, { logger, onBug }: BugReports): Listeners<T> => {
  const all = new Set<CacheListener<T>>();
  const deliver = (listener: CacheListener<T>, change: CacheChange<T>): void => {
    try {
      listener(change);
    } catch (error) {
      logSafely(() => logger.error('a cache listener threw', { kind, change: change.type, object: change.key, error }));
      onBug(error);
    }
  };
  return {
    add(listener) {
      // Wrapped so that one function subscribed twice is two listeners.
      const own: CacheListener<T> = (change) => listener(change);
      all.add(own);
      return () => void all.delete(own);
    },
    notify(change) {
      for (const listener of all) deliver(listener, change);
    },
    deliver,
  };
};
