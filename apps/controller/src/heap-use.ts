import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Reading the statistics takes some microseconds, and plans ask often. */
const SAMPLE_MS = 20;

const usedRatio = (): number => {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
};

/**
 * How much of the heap is in use, from 0 to 1 of what `--max-old-space-size` allows. What the next collection would
 * free does not count.
 */
export interface HeapUse extends Disposable {
  readonly ratio: () => number;
}

const detailOf = (entry: object): unknown => ('detail' in entry ? entry.detail : undefined);

const isMajor = (entry: object): boolean => {
  const detail = detailOf(entry);
  return typeof detail === 'object' && detail !== null && 'kind' in detail && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
};

/** Watches the heap until disposed. */
export const watchHeap = (): HeapUse => {
  let live = Number.POSITIVE_INFINITY;
  let sampled = { atMs: Number.NEGATIVE_INFINITY, ratio: 0 };
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) live = usedRatio();
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    ratio: () => {
      const nowMs = performance.now();
      if (nowMs >= sampled.atMs + SAMPLE_MS) sampled = { atMs: nowMs, ratio: usedRatio() };
      return Math.min(sampled.ratio, live);
    },
    [Symbol.dispose]: () => observer.disconnect(),
  };
};
