import type { Clock } from '../clock/clock.ts';
import { steadyClock } from '../clock/steady-clock.ts';
import { isFailure } from '../failure/failures.ts';
import type { Logger } from '../log/logger.ts';
import type { LeaseLock } from './lease-lock.ts';

/** The lease, and the timing of renewals. */
export interface LeaseKeeperOptions {
  readonly clock: Clock;
  readonly lock: LeaseLock;
  readonly logger: Logger;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Acquires, renews and releases a lease; tolerates failures of the API server. */
export interface LeaseKeeper {
  /**
   * Tries until the lease is held. Returns when the successful try began, since other replicas count the lease's
   * duration from later than that. `undefined` when the signal was aborted first.
   */
  acquire(signal: AbortSignal): Promise<number | undefined>;
  /** Renews what is held since `heldSinceMs`; resolves when that failed for too long, or when the signal is aborted. */
  renewUntilLost(heldSinceMs: number, signal: AbortSignal): Promise<void>;
  /** Gives it back if it can; others wait until it runs out if not. */
  release(): Promise<void>;
}

/** Gives `act` a signal that is aborted after `limitMs`; a failure counts as false. */
const tryWithin = async (
  { clock, logger }: LeaseKeeperOptions,
  limitMs: number,
  act: (signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> => {
  const controller = new AbortController();
  using _timer = clock.setTimeout(() => controller.abort(), limitMs);
  try {
    return await act(controller.signal);
  } catch (error) {
    if (!isFailure(error)) throw error;
    logger.warn('the lease could not be read or written', { error });
    return false;
  }
};

/** A keeper of one lock. */
export const leaseKeeper = (options: LeaseKeeperOptions): LeaseKeeper => {
  const { lock, renewDeadlineMs, retryPeriodMs } = options;
  // Who could not renew a lease must not take it for longer because the machine's clock was set back.
  const clock = steadyClock(options.clock);
  // Half the deadline, as client-go has it: one request that is never answered leaves time for another.
  const attemptMs = renewDeadlineMs / 2;
  const tryHold = (limitMs: number): Promise<boolean> => tryWithin(options, limitMs, (signal) => lock.tryHold(signal));
  // Only the signal can end this sleep early, and the callers check it themselves.
  const pause = (signal: AbortSignal): Promise<void> => clock.sleep(retryPeriodMs, signal).catch(() => undefined);

  return {
    async acquire(signal) {
      while (!signal.aborted) {
        const triedAtMs = clock.now();
        if (await tryHold(attemptMs)) return triedAtMs;
        await pause(signal);
      }
      return undefined;
    },
    async renewUntilLost(heldSinceMs, signal) {
      for (let renewedAtMs = heldSinceMs; ;) {
        await pause(signal);
        const leftMs = renewedAtMs + renewDeadlineMs - clock.now();
        if (signal.aborted || leftMs <= 0) return;
        const triedAtMs = clock.now();
        if (await tryHold(Math.min(leftMs, attemptMs))) renewedAtMs = triedAtMs;
      }
    },
    async release() {
      await tryWithin(options, renewDeadlineMs, async (signal) => {
        await lock.release(signal);
        return true;
      });
    },
  };
};
