import type { Clock } from './clock.ts';

export interface Deadline {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly afterMs: number;
}

/** What a call came to: its value, or nothing in time. */
export type DoneOrLate<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'late' };

/**
 * Runs a call that is given up after some time, also when it does not heed its signal. Errors of the call pass through; those after the
 * deadline are nobody's.
 */
export const withDeadline = async <T>(
  { clock, signal, afterMs }: Deadline,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<DoneOrLate<T>> => {
  const overdue = new AbortController();
  const late = Promise.withResolvers<DoneOrLate<T>>();
  const timer = clock.setTimeout(() => {
    late.resolve({ kind: 'late' });
    overdue.abort(new Error(`given up after ${afterMs} ms`));
  }, afterMs);
  try {
    const done = call(AbortSignal.any([signal, overdue.signal])).then((value): DoneOrLate<T> => ({ kind: 'done', value }));
    return await Promise.race([late.promise, done]);
  } finally {
    timer.cancel();
  }
};
