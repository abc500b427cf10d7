import { getHeapStatistics } from 'node:v8';
import type { Clock } from '@karpenter/runtime';

const INTERVAL_MS = 5000;

/** Processor time in an interval below which the process rests: a twentieth of one processor. */
const REST_MS = INTERVAL_MS / 20;

/** By then the caches are filled and the first passes are over. */
const AFTER_START_MS = 10_000;

/** A collection takes 0.1 s of processor time: at most a thousandth of it all. */
const APART_MS = 120_000;

/** V8 stands still meanwhile, about a millisecond for each MiB: where there is more, it collects by itself. */
const MOST_BYTES = 64 * 1024 ** 2;

export interface CollectOptions {
  readonly clock: Clock;
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
  /** Default: V8's own, which is there with `--expose-gc`, as the chart sets it. Without that nothing happens. */
  readonly collect?: () => void;
  /** Bytes of objects on V8's heap. */
  readonly usedBytes?: () => number;
  /** Processor time of the process so far. */
  readonly processorMs?: () => number;
}

const processorMsSoFar = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Collects what work left behind once the process rests: the start, plans that were rehearsed, a rollout. V8 collects
 * when much is allocated, and a controller at rest allocates little: 6 to 12 MiB would stay for hours.
 */
export const collectAtRest = async ({
  clock,
  signal,
  collect = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  usedBytes = () => getHeapStatistics().used_heap_size,
  processorMs = processorMsSoFar,
}: CollectOptions): Promise<void> => {
  const rests = async (): Promise<boolean> => {
    const beforeMs = processorMs();
    await clock.sleep(INTERVAL_MS, signal).catch(() => undefined);
    return processorMs() - beforeMs < REST_MS;
  };
  let hasWorked = true;
  let notBeforeMs = clock.now() + AFTER_START_MS;
  const isDue = (): boolean => hasWorked && clock.now() >= notBeforeMs && usedBytes() < MOST_BYTES;
  for (;;) {
    const isAtRest = await rests();
    if (signal.aborted) return;
    hasWorked ||= !isAtRest;
    if (!isAtRest || !isDue()) continue;
    collect();
    hasWorked = false;
    notBeforeMs = clock.now() + APART_MS;
  }
};
