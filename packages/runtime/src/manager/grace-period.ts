import type { Clock } from '../clock/clock.ts';

/** How long work may go on after it was stopped. */
export interface Grace {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Stops the work. */
  readonly signal: AbortSignal;
}

/** True when `work` ended, whenever that was before the signal, or within the deadline after it. Rejects when `work` does. */
export const settlesWithin = ({ clock, deadlineMs, signal }: Grace, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      const timer = clock.setTimeout(() => resolve(false), deadlineMs);
      void work.finally(() => timer.cancel()).catch(() => undefined);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(() => resolve(true), reject);
  });
