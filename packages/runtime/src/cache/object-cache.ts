import type { ObjectKey } from '../objects/object-key.ts';

/**
 * What happened to one object, as a cache saw it. An object that was deleted and made again under its name gives
 * `deleted`, then `added`.
 */
export type CacheChange<T> =
  | { readonly type: 'added'; readonly key: ObjectKey; readonly object: T }
  | { readonly type: 'updated'; readonly key: ObjectKey; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly key: ObjectKey; readonly object: T };

/** Called for each change, in order, one at a time. One that throws is logged; the others are still called. */
export type CacheListener<T> = (change: CacheChange<T>) => void;

/** Reads of one kind from memory. Objects are shared: they must not be changed. */
export interface CacheReader<T> {
  /** The kind that is followed. */
  readonly kind: string;
  get(key: ObjectKey): T | undefined;
  /** Every object, in no particular order. */
  list(): readonly T[];
  /** Objects for which the index function named `index` gave `value`; an index that was not declared is a bug. */
  byIndex(index: string, value: string): readonly T[];
  readonly size: number;
}

/** The objects of one kind, kept up to date by a list and a watch. */
export interface ObjectCache<T> extends CacheReader<T> {
  /** True once the first list is in the cache, or the server does not serve an optional kind; stays true. */
  hasSynced(): boolean;
  /** Resolves when `hasSynced()` turns true. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when the cache has seen everything up to `resourceVersion`: after a write, wait for the version it
   * answered and the cache holds one's own write. The written object must be in the cache's selection, or only a
   * bookmark (about a minute) resolves it.
   */
  waitFor(resourceVersion: string, signal?: AbortSignal): Promise<void>;
  /** Calls `listener` with `added` for each object that is there, at once, then for each change. Returns how to stop. */
  subscribe(listener: CacheListener<T>): () => void;
  /** Follows the cluster until the signal is aborted, whatever goes wrong on the way; then resolves. */
  run(signal: AbortSignal): Promise<void>;
}
