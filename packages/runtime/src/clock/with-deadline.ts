import type { Clock } from './clock.ts';

export interface TimeLimit {
  readonly clock: Clock;
  /** Left out: only time ends the waiting. */
  readonly signal?: AbortSignal;
  readonly afterMs: number;
}

/** What a call came to: its value, or nothing in time. */
export type DoneOrLate<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'late' };

/**
 * Runs a call and waits for it no longer than `afterMs` or until the signal aborts, even if the call ignores both.
 * Errors of the call pass through; later ones are dropped. Rejects with the signal's reason.
 */
export const withDeadline = async <T>(
  { clock, signal, afterMs }: TimeLimit,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<DoneOrLate<T>> => {
  signal?.throwIfAborted();
  const overdue = new AbortController();
  const late = Promise.withResolvers<DoneOrLate<T>>();
  const stop = (): void => late.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = clock.setTimeout(() => {
    late.resolve({ kind: 'late' });
    overdue.abort(new Error(`abandoned after ${afterMs} ms`));
  }, afterMs);
  try {
    const done = call(signal === undefined ? overdue.signal : AbortSignal.any([signal, overdue.signal])).then((value): DoneOrLate<T> => ({
      kind: 'done',
      value,
    }));
    return await Promise.race([late.promise, done]);
  } finally {
    signal?.removeEventListener('abort', stop);
    timer.cancel();
  }
};
