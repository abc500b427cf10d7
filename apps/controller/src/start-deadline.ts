import { StartError } from '@karpenter/core/provider-kit';
import { type Clock, withDeadline } from '@karpenter/runtime';

/** Whoever starts a controller waits for it to say what is wrong, so nothing is waited for longer than this. */
const PATIENCE_MS = 12_000;

/** One thing that the start waits for. */
export interface StartStep<T> {
  readonly clock: Clock;
  /** Aborted when the process receives a signal to stop. */
  readonly signal: AbortSignal;
  /** Whom the step talks to, as the subject of a sentence: `the API server at https://…`. */
  readonly who: string;
  /** Its signal is aborted too when time is up, and not later when the step was through in time. */
  readonly run: (signal: AbortSignal) => Promise<T>;
}

/** Gives what `run` gives. Errors: StartError when there was no answer in time; otherwise what `run` throws. */
export const withinStart = async <T>({ clock, signal, who, run }: StartStep<T>): Promise<T> => {
  const answer = await withDeadline({ clock, afterMs: PATIENCE_MS }, (overdue) => run(AbortSignal.any([signal, overdue])));
  if (answer.kind === 'done') return answer.value;
  throw new StartError(`${who} does not answer: nothing came within ${PATIENCE_MS / 1000} s`);
};
