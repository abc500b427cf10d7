import { getHeapStatistics } from 'node:v8';
import type { Clock } from '@karpenter/runtime';

/** By then the caches are filled and the first passes are over. */
const AFTER_START_MS = 10_000;

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
}

/**
 * Collects once what the start left behind. V8 collects when much is allocated, and a controller at rest allocates
 * little: about 6 MiB would stay for hours.
 */
export const collectAfterStart = async ({
  clock,
  signal,
  collect = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  usedBytes = () => getHeapStatistics().used_heap_size,
}: CollectOptions): Promise<void> => {
  await clock.sleep(AFTER_START_MS, signal).catch(() => undefined);
  if (!signal.aborted && usedBytes() < MOST_BYTES) collect();
};
