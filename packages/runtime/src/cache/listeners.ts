import type { Logger } from '../log/logger.ts';
import type { CacheChange, CacheListener } from './object-cache.ts';

/** Subscribers to changes. */
export interface Listeners<T> {
  add(listener: CacheListener<T>): () => void;
  readonly notify: (change: CacheChange<T>) => void;
  /** Notifies one listener only. */
  tell(listener: CacheListener<T>, change: CacheChange<T>): void;
}

/** No listeners yet. One that throws is logged and does not keep the others from hearing. */
export const listeners = <T>(kind: string, logger: Logger): Listeners<T> => {
  const all = new Set<CacheListener<T>>();
  const tell = (listener: CacheListener<T>, change: CacheChange<T>): void => {
    try {
      listener(change);
    } catch (error) {
      logger.error('a cache listener threw', { kind, change: change.type, object: change.key, error });
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
      for (const listener of all) tell(listener, change);
    },
    tell,
  };
};
