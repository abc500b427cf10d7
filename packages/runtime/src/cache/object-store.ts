import { type ObjectKey, parseKey } from '../objects/object-key.ts';
import { type IndexFunctions, objectIndexes } from './object-indexes.ts';
import type { CacheChange } from './object-cache.ts';

/** An object in the store: who it is, in which version, and what was made of it. */
export interface CachedObject<T> {
  /** As `keyString` writes it. */
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly value: T;
}

/** Objects by key with indexes. Calls `notify` after each change. */
export interface ObjectStore<T> {
  /** Adds or updates; a different uid under the same key is another object, so the old one is deleted first. */
  set(object: CachedObject<T>): void;
  delete(key: string): void;
  get(key: string): T | undefined;
  values(): readonly T[];
  keys(): Iterable<string>;
  entries(): Iterable<CachedObject<T>>;
  lookUp(index: string, value: string): readonly T[];
  readonly size: number;
}

/** An empty store. */
export const objectStore = <T>(functions: IndexFunctions<T>, notify: (change: CacheChange<T>) => void): ObjectStore<T> => {
  const objects = new Map<string, CachedObject<T>>();
  const indexes = objectIndexes(functions);
  const keyOf = (text: string): ObjectKey => parseKey(text);

  const remove = (key: string): void => {
    const old = objects.get(key);
    if (old === undefined) return;
    objects.delete(key);
    indexes.remove(old);
    notify({ type: 'deleted', key: keyOf(key), object: old.value });
  };

  const update = (old: CachedObject<T>, fresh: CachedObject<T>): void => {
    if (old.resourceVersion === fresh.resourceVersion) return;
    objects.set(fresh.key, fresh);
    indexes.remove(old);
    indexes.add(fresh);
    notify({ type: 'updated', key: keyOf(fresh.key), object: fresh.value, previous: old.value });
  };

  return {
    set(fresh) {
      const old = objects.get(fresh.key);
      if (old?.uid === fresh.uid) {
        update(old, fresh);
        return;
      }
      remove(fresh.key);
      objects.set(fresh.key, fresh);
      indexes.add(fresh);
      notify({ type: 'added', key: keyOf(fresh.key), object: fresh.value });
    },
    delete: remove,
    get: (key) => objects.get(key)?.value,
    values: () => Array.from(objects.values(), (object) => object.value),
    keys: () => objects.keys(),
    entries: () => objects.values(),
    lookUp: (index, value) => indexes.lookUp(index, value),
    get size() {
      return objects.size;
    },
  };
};
