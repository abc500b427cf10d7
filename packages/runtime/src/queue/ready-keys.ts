import { heap } from './heap.ts';

/** A key that can be given out. */
interface ReadyKey {
  readonly key: string;
  readonly priority: number;
  readonly sinceMs: number;
}

/** Keys that can be given out, highest priority first, then first come first served. A key stands in it once. */
export interface ReadyKeys {
  /** A key that is there keeps its place unless the new priority is higher. */
  add(entry: ReadyKey): void;
  take(): ReadyKey | undefined;
  has(key: string): boolean;
  readonly size: number;
}

/** No keys. */
export const readyKeys = (): ReadyKeys => {
  let added = 0;
  const order = heap<ReadyKey & { readonly sequence: number }>((a, b) => b.priority - a.priority || a.sequence - b.sequence);
  const current = new Map<string, ReadyKey>();
  return {
    add(entry) {
      const old = current.get(entry.key);
      if (old !== undefined && old.priority >= entry.priority) return;
      added += 1;
      const fresh = { ...entry, sinceMs: old?.sinceMs ?? entry.sinceMs, sequence: added };
      current.set(entry.key, fresh);
      order.push(fresh);
    },
    take() {
      for (let top = order.pop(); top !== undefined; top = order.pop()) {
        if (current.get(top.key) === top) {
          current.delete(top.key);
          return top;
        }
      }
      return undefined;
    },
    has: (key) => current.has(key),
    get size() {
      return current.size;
    },
  };
};
