import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** The longest delay that a Node timer takes; longer ones would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const bounded = (delayMs: number): number => Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS);

/** The machine's clock. Delays are cut to 24.8 days, the longest a Node timer takes. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (fire, delayMs) => {
    const timer = setTimeout(fire, bounded(delayMs));
    const cancel = (): void => clearTimeout(timer);
    return { cancel, [Symbol.dispose]: cancel };
  },
  sleep: async (delayMs, signal) => {
    signal?.throwIfAborted();
    try {
      await sleep(bounded(delayMs), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
