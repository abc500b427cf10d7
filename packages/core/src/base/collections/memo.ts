import type { Steps } from '../control-flow.ts';

/** Remembers the answers of a pure function of an object that nobody changes, as long as the object is in use. */
export const memoByObject = <K extends object, V>(answer: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>();
  return (key) => getOrMake(known, key, answer);
};

/** Remembers the answers of a pure function as long as the function itself is in use. */
export const memoByKey = <K, V>(answer: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>();
  return (key) => getOrMake(known, key, answer);
};

/** A Map or a WeakMap. */
interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of the key in the map. Makes one where there is none, and keeps it there. */
export const getOrMake = <K, V>(known: Memory<K, V>, key: K, make: (key: K) => V): V => {
  const found = known.get(key);
  if (found !== undefined) return found;
  const fresh = make(key);
  known.set(key, fresh);
  return fresh;
};

/** `getOrMake` for a value that is made in steps. If two callers make it at the same time, the first result stays. */
export function* makingOnce<K, V>(known: Memory<K, V>, key: K, making: (key: K) => Steps<V>): Steps<V> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const fresh = yield* making(key);
  return getOrMake(known, key, () => fresh);
}

/** Adds the item to the group of the key. No closure for each item, unlike `getOrMake`. */
export const addToGroup = <K, T>(groups: Memory<K, T[]>, key: K, item: T): void => {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
};

/**
 * Remembers the answers of a pure function of a text. Forgets everything at `limit` texts, so that a stream of new
 * texts costs no memory.
 */
export const memoByText = <T>(answer: (text: string) => T, limit = 16_384): ((text: string) => T) => {
  const known = new Map<string, T>();
  const make = (text: string): T => {
    const fresh = answer(text);
    if (known.size >= limit) known.clear();
    return fresh;
  };
  return (text) => getOrMake(known, text, make);
};

/**
 * The table of a WeakMap of this size is enlarged in a few milliseconds; for 100,000 objects that takes fifty, in the
 * middle of a `set`.
 */
const OBJECTS_A_GENERATION = 16_384;

/** More than are alive at once in the largest clusters; each costs a lookup where a newer one does not know the object. */
const GENERATIONS = 16;

/**
 * What was worked out about objects: remembered while they live, and until a quarter of a million others have come. No
 * `set` takes long.
 */
export class WeakMemory<K extends object, V extends object> {
  #newest = new WeakMap<K, V>();
  #older: readonly WeakMap<K, V>[] = [];
  #count = 0;

  get(key: K): V | undefined {
    const value = this.#newest.get(key);
    if (value !== undefined) return value;
    for (const generation of this.#older) {
      const found = generation.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  set(key: K, value: V): void {
    if (this.#count === OBJECTS_A_GENERATION) {
      this.#older = [this.#newest, ...this.#older].slice(0, GENERATIONS - 1);
      this.#newest = new WeakMap();
      this.#count = 0;
    }
    this.#newest.set(key, value);
    this.#count++;
  }
}

/** Numbers for objects, by identity: from 0 on, in the order of their first use. */
export const identities = (): ((value: object | undefined) => number) => {
  let next = 0;
  return memoByKey(() => next++);
};
