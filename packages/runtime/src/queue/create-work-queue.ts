import type { Clock } from '../clock/clock.ts';
import { steadyClock } from '../clock/steady-clock.ts';
import { type BackoffDelays, backoffMs } from './backoff.ts';
import { delayedKeys } from './delayed-keys.ts';
import { handout } from './handout.ts';
import type { WorkQueue, WorkQueueMetrics } from './work-queue.ts';

/** How a queue behaves. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  /** From 5 ms to 1,000 s when left out, as controllers in Go do. */
  readonly backoff?: BackoffDelays;
  readonly metrics?: WorkQueueMetrics;
}

/** A metric that throws counts nothing: timers and workers of the queue go on. */
const harmless = (record: () => void): void => {
  try {
    record();
  } catch {
    // What is measured is lost, and nothing else.
  }
};

const harmlessMetrics = (metrics: WorkQueueMetrics): WorkQueueMetrics => ({
  depth: (waiting) => harmless(() => metrics.depth(waiting)),
  waited: (ms) => harmless(() => metrics.waited(ms)),
  worked: (ms) => harmless(() => metrics.worked(ms)),
  retried: () => harmless(() => metrics.retried()),
});

/** An empty queue; see {@link WorkQueue} for what it guarantees. */
export const createWorkQueue = (options: WorkQueueOptions): WorkQueue => {
  const { backoff = { baseMs: 5, maxMs: 1_000_000 } } = options;
  const metrics = options.metrics && harmlessMetrics(options.metrics);
  const clock = steadyClock(options.clock);
  const due = handout(clock, metrics);
  const delayed = delayedKeys(clock, due.offer);
  /** key → failures in a row. */
  const failures = new Map<string, number>();
  let isShutDown = false;

  const add: WorkQueue['add'] = (key, { priority = 0, afterMs = 0 } = {}) => {
    if (isShutDown) return;
    if (Number.isNaN(afterMs)) throw new TypeError(`${key} was to be added after NaN ms`);
    if (afterMs > 0 && !due.isWaiting(key)) {
      delayed.add({ key, priority, dueAtMs: clock.now() + afterMs });
      return;
    }
    const waited = delayed.remove(key);
    due.offer({ key, priority: Math.max(priority, waited?.priority ?? priority) });
  };

  return {
    add,
    retry(key) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      metrics?.retried();
      add(key, { afterMs: backoffMs(count, backoff) });
    },
    forget: (key) => void failures.delete(key),
    take: () => due.take(),
    done: (key) => due.done(key),
    shutDown() {
      isShutDown = true;
      delayed.clear();
      due.close();
    },
    get depth() {
      return due.depth;
    },
  };
};
