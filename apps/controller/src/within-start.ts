import { StartError } from '@karpenter/core/provider-kit';
import type { Clock } from '@karpenter/runtime';

/** Whoever starts a controller waits for it to say what is wrong, so nothing is waited for longer than this. */
const PATIENCE_MS = 12_000;

/** One thing that the start waits for. */
export interface StartStep<T> {
  readonly clock: Clock;
  /** Aborted when the process is told to stop. */
  readonly signal: AbortSignal;
  /** Whom the step talks to, as the subject of a sentence: `the API server at https://…`. */
  readonly who: string;
  /** Its signal is aborted too when time is up, and not later when the step was through in time. */
  readonly run: (signal: AbortSignal) => Promise<T>;
}

/** Gives what `run` gives. Errors: StartError when there was no answer in time; otherwise what `run` throws. */
export const withinStart = async <T>({ clock, signal, who, run }: StartStep<T>): Promise<T> => {
  const late = new AbortController();
  const giveUp = Promise.withResolvers<never>();
  const timer = clock.setTimeout(() => {
    giveUp.reject(new StartError(`${who} does not answer: nothing came within ${PATIENCE_MS / 1000} s`));
    late.abort();
  }, PATIENCE_MS);
  try {
    return await Promise.race([run(AbortSignal.any([signal, late.signal])), giveUp.promise]);
  } finally {
    timer.cancel();
  }
};
