import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;
const LIMIT_MS = 60_000;

/**
 * What `ask` gives, once it gives something; asked every 100 ms for a minute.
 *
 * Errors: thrown with `what` when the minute is over.
 */
export const eventually = async <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> => {
  for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs += POLL_MS) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await pause(POLL_MS);
  }
  throw new Error(`waited in vain for ${what}`);
};
