import type { Clock } from '../clock/clock.ts';
import { type Logger, silentLogger } from '../log/logger.ts';
import { isFailure } from '../failure/is-failure.ts';
import { leaseLock, type LeaseLockOptions } from './lease-lock.ts';

/** Options of an election; the defaults are those of controllers in Go. */
export interface LeaderElectorOptions extends Omit<LeaseLockOptions, 'leaseDurationMs'> {
  /** How long the others wait after the last renewal they saw; 15 s. */
  readonly leaseDurationMs?: number;
  /** A leader that could not renew for so long gives up; 10 s. Must be less than the lease duration. */
  readonly renewDeadlineMs?: number;
  /** Between tries; 2 s. */
  readonly retryPeriodMs?: number;
  readonly logger?: Logger;
}

/** How leading ended. `finished`: it was told to stop, or its work was done. `lost`: it could not renew in time. */
export type LeadershipEnd = 'finished' | 'lost';

/** One replica's part in an election. */
export interface LeaderElector {
  /**
   * Waits for leadership, then runs `lead` until the signal is aborted or leadership is lost; `lead`'s own signal is aborted in both
   * cases. The lease is released only after `lead` has ended, so that no two lead.
   */
  run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<LeadershipEnd>;
  isLeader(): boolean;
}

/** Resolves true when `act` did, false when it failed or took too long. */
const within = async (clock: Clock, limitMs: number, act: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> => {
  const controller = new AbortController();
  using _timer = clock.setTimeout(() => controller.abort(), limitMs);
  return act(controller.signal);
};

/** Joins the election for one lease. */
export const createLeaderElector = (options: LeaderElectorOptions): LeaderElector => {
  const { clock, logger = silentLogger, leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  if (renewDeadlineMs >= leaseDurationMs) throw new RangeError('a leader must give up before the others may take over');
  const lock = leaseLock({ ...options, leaseDurationMs });
  let isLeading = false;

  const tryHold = (limitMs: number): Promise<boolean> =>
    within(clock, limitMs, async (signal) => {
      try {
        return await lock.tryHold(signal);
      } catch (error) {
        if (!isFailure(error)) throw error;
        logger.warn('the lease could not be read or written', { lease: options.lease, error });
        return false;
      }
    });

  const pause = (signal: AbortSignal): Promise<void> => clock.sleep(retryPeriodMs, signal).catch(() => undefined);

  const acquire = async (signal: AbortSignal): Promise<boolean> => {
    while (!signal.aborted) {
      if (await tryHold(renewDeadlineMs)) return true;
      await pause(signal);
    }
    return false;
  };

  /** Returns when the lease could not be renewed for too long, or when nobody wants it any more. */
  const renewUntil = async (signal: AbortSignal): Promise<void> => {
    let renewedAtMs = clock.now();
    while (!signal.aborted) {
      await pause(signal);
      const leftMs = renewedAtMs + renewDeadlineMs - clock.now();
      if (signal.aborted || leftMs <= 0) return;
      if (await tryHold(leftMs)) renewedAtMs = clock.now();
    }
  };

  const release = async (): Promise<void> => {
    try {
      await within(clock, renewDeadlineMs, async (signal) => lock.release(signal).then(() => true));
    } catch (error) {
      logger.warn('the lease could not be released; others wait until it runs out', { lease: options.lease, error });
    }
  };

  const leadAndRenew = async (signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<LeadershipEnd> => {
    const renewing = new AbortController();
    const leading = new AbortController();
    let isLost = false;
    const onAbort = (): void => leading.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const renewed = renewUntil(renewing.signal).then(() => {
      isLost = !renewing.signal.aborted;
      isLeading = isLeading && !isLost;
      if (isLost) leading.abort(new DOMException('leadership was lost', 'AbortError'));
    });
    try {
      await lead(leading.signal);
    } finally {
      renewing.abort();
      await renewed;
      signal.removeEventListener('abort', onAbort);
    }
    return isLost ? 'lost' : 'finished';
  };

  return {
    isLeader: () => isLeading,
    async run(signal, lead) {
      if (!(await acquire(signal))) return 'finished';
      isLeading = true;
      logger.info('became the leader', { lease: options.lease, identity: options.identity });
      try {
        return await leadAndRenew(signal, lead);
      } finally {
        const wasLeading = isLeading;
        isLeading = false;
        if (wasLeading) await release();
      }
    },
  };
};
