import { yieldToEventLoop } from '../clock/in-slices.ts';
import { logSafely } from '../log/safe-report.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { keyOf, keyString } from '../objects/object-key.ts';
import type { BugReports } from './listeners.ts';
import type { ObjectStore, CachedObject } from './object-store.ts';

/** Objects between two turns of the event loop: a few milliseconds of work. */
const OBJECTS_PER_TURN = 500;

/** The store together with what is staged for it. */
export interface CacheContents<T> {
  readonly stage: (object: T) => void;
  /** Takes an object back that was deleted while the others were still coming. */
  readonly unstage: (object: T) => void;
  discard(): void;
  /** The staged objects become the contents; listeners get the differences. Yields to the event loop. */
  commit(): Promise<void>;
  readonly set: (object: T) => void;
  readonly delete: (object: T) => void;
}

/** How raw objects become stored ones. `transform` gives `undefined` for objects that are not kept. */
export interface CacheContentsOptions<T, S> {
  readonly store: ObjectStore<S>;
  readonly transform: (object: T) => S | undefined;
  readonly bugs: BugReports;
}

const forEachInTurns = async <E>(entries: Iterable<E>, act: (entry: E) => void): Promise<void> => {
  let acted = 0;
  for (const entry of entries) {
    act(entry);
    acted += 1;
    if (acted % OBJECTS_PER_TURN === 0) await yieldToEventLoop();
  }
};

/** Contents over `store`. */
export const cacheContents = <T extends KubeObject, S>({ store, transform, bugs }: CacheContentsOptions<T, S>): CacheContents<T> => {
  let staged = new Map<string, CachedObject<S>>();

  /** One object that cannot be transformed must not blind the cache to all others. */
  const storedOf = (object: T): CachedObject<S> | undefined => {
    const key = keyString(keyOf(object));
    const { uid = '', resourceVersion = '' } = object.metadata;
    try {
      const value = transform(object);
      return value === undefined ? undefined : { key, uid, resourceVersion, value };
    } catch (error) {
      const fields = { kind: object.kind, object: key, error };
      logSafely(() => bugs.logger.error('an object could not be transformed and is left out of the cache', fields));
      bugs.onBug(error);
      return undefined;
    }
  };

  return {
    stage(object) {
      const stored = storedOf(object);
      if (stored === undefined) staged.delete(keyString(keyOf(object)));
      else staged.set(stored.key, stored);
    },
    unstage(object) {
      staged.delete(keyString(keyOf(object)));
    },
    discard() {
      staged = new Map();
    },
    async commit() {
      const fresh = staged;
      staged = new Map();
      await forEachInTurns([...store.keys()], (key) => {
        if (!fresh.has(key)) store.delete(key);
      });
      await forEachInTurns(fresh.values(), (object) => store.set(object));
    },
    set(object) {
      const stored = storedOf(object);
      if (stored === undefined) store.delete(keyString(keyOf(object)));
      else store.set(stored);
    },
    delete(object) {
      store.delete(keyString(keyOf(object)));
    },
  };
};
