import type { CacheChange, CacheListener, ObjectCache } from '../cache/object-cache.ts';
import { type ObjectKey, parseKey } from '../objects/object-key.ts';

/** A cache that a test fills by hand. It is synced from the start. */
export interface TestCache<T> extends ObjectCache<T> {
  put(name: string, object: T): void;
  remove(name: string): void;
}

/** An empty cache of `kind`. */
export const testCache = <T>(kind: string): TestCache<T> => {
  const objects = new Map<string, T>();
  const listeners = new Set<CacheListener<T>>();
  const notify = (change: CacheChange<T>): void => listeners.forEach((listener) => listener(change));
  const added = (key: ObjectKey, object: T): CacheChange<T> => ({ type: 'added', key, object });
  return {
    kind,
    get: (key) => objects.get(key.name),
    list: () => [...objects.values()],
    byIndex: () => [],
    get size() {
      return objects.size;
    },
    hasSynced: () => true,
    waitForSync: () => Promise.resolve(),
    waitFor: () => Promise.resolve(),
    subscribe: (listener) => {
      for (const [name, object] of objects) listener(added(parseKey(name), object));
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
    put(name, object) {
      objects.set(name, object);
      notify(added({ name }, object));
    },
    remove(name) {
      const object = objects.get(name);
      objects.delete(name);
      if (object !== undefined) notify({ type: 'deleted', key: { name }, object });
    },
  };
};
