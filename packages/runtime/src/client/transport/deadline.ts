import type { Clock } from '../../clock/clock.ts';
import { classifyNetworkError } from '../classify.ts';
import { KubeError } from '../kube-error.ts';

/** A time limit joined with a caller's signal. */
export interface Deadline {
  /** Aborted by the caller or by the time limit. */
  readonly signal: AbortSignal;
  /** Time no longer counts; the caller's signal still does. */
  stopTimer(): void;
  /** The call is over: neither the timer nor the caller's signal is listened to any more. */
  release(): void;
  /** The KubeError for what went wrong: `aborted` or `timeout` when that was the reason, otherwise what `error` means. */
  explain(error: unknown, action: string): KubeError;
}

/** A deadline `timeoutMs` from now. */
export const deadline = (clock: Clock, timeoutMs: number, callers?: AbortSignal): Deadline => {
  const controller = new AbortController();
  let isTimedOut = false;
  const timer = clock.setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, timeoutMs);
  const onAbort = (): void => controller.abort();
  if (callers?.aborted === true) onAbort();
  else callers?.addEventListener('abort', onAbort, { once: true });

  return {
    signal: controller.signal,
    stopTimer: () => timer.cancel(),
    release: () => {
      timer.cancel();
      callers?.removeEventListener('abort', onAbort);
    },
    explain: (error, action) => {
      if (callers?.aborted === true) return new KubeError(`${action}: aborted by the caller`, { code: 'aborted', cause: error });
      if (isTimedOut) return new KubeError(`${action}: no answer within ${timeoutMs} ms`, { code: 'timeout', cause: error });
      return classifyNetworkError(error, action);
    },
  };
};
