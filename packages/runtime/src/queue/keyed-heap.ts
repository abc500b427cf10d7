import { heap } from './heap.ts';

/** Values in order, one for each key. */
export interface KeyedHeap<T> {
  get(key: string): T | undefined;
  /** Replaces what the key had. */
  set(value: T): void;
  delete(key: string): void;
  /** The least value, left in place. */
  peek(): T | undefined;
  /** The least value, taken out. */
  pop(): T | undefined;
  readonly size: number;
  /** Values held, replaced ones included: at most twice `size` and a few more, whatever happened before. */
  readonly held: number;
}

/** Replaced values may be as many as those that count, and so many more. */
const SPARE = 64;

/** An empty one. Everything costs O(log n): replaced values stay in the heap until they reach its top or are swept out. */
export const keyedHeap = <T extends { readonly key: string }>(compare: (a: T, b: T) => number): KeyedHeap<T> => {
  const current = new Map<string, T>();
  let order = heap<T>(compare);

  /** A key that is due in a month and set again every minute would otherwise leave its old values there for a month. */
  const sweep = (): void => {
    if (order.size <= 2 * current.size + SPARE) return;
    order = heap(compare);
    for (const value of current.values()) order.push(value);
  };

  const peek = (): T | undefined => {
    for (let top = order.peek(); top !== undefined; top = order.peek()) {
      if (current.get(top.key) === top) return top;
      order.pop();
    }
    return undefined;
  };

  const remove = (key: string): void => {
    current.delete(key);
    sweep();
  };

  return {
    get: (key) => current.get(key),
    set(value) {
      current.set(value.key, value);
      order.push(value);
      sweep();
    },
    delete: remove,
    peek,
    pop() {
      const top = peek();
      if (top !== undefined) {
        order.pop();
        current.delete(top.key);
      }
      return top;
    },
    get size() {
      return current.size;
    },
    get held() {
      return order.size;
    },
  };
};
