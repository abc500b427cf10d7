import { ArmError } from '../arm-error.ts';

/** An answer that is waited for, and until when. */
export interface Patience {
  /** Whose end ends the waiting too. */
  readonly signal?: AbortSignal | undefined;
  /** Default a minute: what takes longer in Azure is a long-running operation, which is asked about again and again. */
  readonly patienceMs?: number | undefined;
}

const MINUTE_MS = 60_000;

/**
 * What is answered. Throws `network`, with the operation and the time, where nothing came: neither a server that takes a connection and
 * says nothing, nor a library that does not listen to its signal, holds up whoever waits behind. By real time, as the network.
 */
export const answeredInTime = async <T>(
  operation: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, patienceMs = MINUTE_MS }: Patience = {},
): Promise<T> => {
  const patience = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    patience.signal.addEventListener('abort', () => reject(patience.signal.reason as Error));
  });
  const timer = setTimeout(() => {
    const message = `${operation} has had no answer for ${patienceMs / 1000} s`;
    patience.abort(new ArmError(message, { code: 'network', cause: undefined }));
  }, patienceMs);
  try {
    return await Promise.race([ask(signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal])), ended]);
  } finally {
    clearTimeout(timer);
  }
};
