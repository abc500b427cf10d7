import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Lets everything else that waits for the event loop have a turn: I/O, timers, leases. About 1.5 µs when nothing waits. */
export const yieldToEventLoop = async (): Promise<void> => {
  await setImmediate();
};

/** How long work may keep the event loop to itself. */
export interface SliceOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Once a slice has taken so long, what waits for the event loop has its turn. A slice overruns by at most one step. */
  readonly sliceMs: number;
  /** Aborts the work between two slices. */
  readonly signal: AbortSignal;
}

/**
 * Runs work that pauses between its steps to its end, and gives what it comes to: a slice of steps, a turn of the event
 * loop, the next slice. Each pause checks whether a turn is due, so steps may be of any size below that of a slice.
 *
 * Errors: what the work throws; the signal's reason once it is aborted, after the work has had the chance to clean up.
 */
export const inSlices = async <T>(work: Generator<unknown, T, undefined>, { clock, sliceMs, signal }: SliceOptions): Promise<T> => {
  try {
    for (;;) {
      signal.throwIfAborted();
      const startMs = clock.now();
      // A clock that is set back ends the slice: otherwise it would last until the clock catches up.
      for (let tookMs = 0; tookMs >= 0 && tookMs < sliceMs; tookMs = clock.now() - startMs) {
        const step = work.next();
        if (step.done === true) return step.value;
      }
      await yieldToEventLoop();
    }
  } finally {
    work.return(undefined as never);
  }
};
