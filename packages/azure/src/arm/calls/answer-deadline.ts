import { systemClock, withDeadline } from '@karpenter/runtime';
import { ArmError } from '../arm-error.ts';

/** An answer that is waited for, and until when. */
export interface Patience {
  /** Whose end ends the waiting too. */
  readonly signal?: AbortSignal | undefined;
  /** Default a minute: whatever takes longer in Azure is a long-running operation, which is polled. */
  readonly patienceMs?: number | undefined;
}

const MINUTE_MS = 60_000;

/**
 * What is answered. Throws `network`, with the operation and the time, if nothing came. A server that accepts a
 * connection and is silent cannot hold up the callers behind it; a library that ignores its signal cannot either. By
 * real time, as the network.
 */
export const answerInTime = async <T>(
  operation: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, patienceMs = MINUTE_MS }: Patience = {},
): Promise<T> => {
  const answer = await withDeadline({ clock: systemClock, afterMs: patienceMs }, (overdue) =>
    ask(signal === undefined ? overdue : AbortSignal.any([signal, overdue])),
  );
  if (answer.kind === 'done') return answer.value;
  throw new ArmError(`${operation} has had no answer for ${patienceMs / 1000} s`, { code: 'network', cause: undefined });
};
