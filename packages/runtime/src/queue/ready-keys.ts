import { keyedHeap } from './keyed-heap.ts';

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
  const waiting = keyedHeap<ReadyKey & { readonly sequence: number }>((a, b) => b.priority - a.priority || a.sequence - b.sequence);
  return {
    add(entry) {
      const old = waiting.get(entry.key);
      if (old !== undefined && old.priority >= entry.priority) return;
      added += 1;
      waiting.set({ ...entry, sinceMs: old?.sinceMs ?? entry.sinceMs, sequence: added });
    },
    take: () => waiting.pop(),
    has: (key) => waiting.get(key) !== undefined,
    get size() {
      return waiting.size;
    },
  };
};
