import { silentLogger, type Logger } from '../log/logger.ts';
import { logSafely, reportSafely } from '../log/safe-report.ts';
import { leaseKeeper } from './lease-keeper.ts';
import { leaseLock, type LeaseLockOptions } from './lease-lock.ts';

/** Options of an election; the defaults are those of controllers in Go. */
export interface LeaderElectorOptions extends Omit<LeaseLockOptions, 'leaseDurationMs'> {
  /** How long the others wait after the last renewal they saw; 15 s. */
  readonly leaseDurationMs?: number;
  /** A leader that could not renew for this long stops leading; 10 s. Must be less than the lease duration. */
  readonly renewDeadlineMs?: number;
  /** Between tries; 2 s. */
  readonly retryPeriodMs?: number;
  readonly logger?: Logger;
  /** Called at the start, and whenever it changes, with whether this replica leads. */
  readonly onLeadership?: (isLeader: boolean) => void;
}

/** How leading ended. `finished`: it was stopped, or its work was done. `lost`: it could not renew in time. */
export type LeadershipEnd = 'finished' | 'lost';

/** What a leader does until its signal is aborted. */
export type LeaderWork = (signal: AbortSignal) => Promise<void>;

/** One replica's part in an election. */
export interface LeaderElector {
  /**
   * Waits for leadership, then runs `work` until the signal is aborted or leadership is lost; the work's own signal is
   * aborted in both cases. The lease is released only after the work has ended, so that no two lead.
   */
  run(signal: AbortSignal, work: LeaderWork): Promise<LeadershipEnd>;
  isLeader(): boolean;
}

/** Joins the election for one lease. */
export const createLeaderElector = (options: LeaderElectorOptions): LeaderElector => {
  const { clock, logger = silentLogger, leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options;
  if (renewDeadlineMs >= leaseDurationMs) throw new RangeError('a leader must stop before the others may take over');
  const keeper = leaseKeeper({ clock, logger, renewDeadlineMs, retryPeriodMs, lock: leaseLock({ ...options, leaseDurationMs }) });
  const where = { lease: options.lease, identity: options.identity };
  let isLeading = false;
  const leads = (isSo: boolean): void => {
    isLeading = isSo;
    // A metric that throws must not keep a leader at work that has lost its lease.
    reportSafely({ logger, about: where }, () => options.onLeadership?.(isSo));
  };
  leads(false);

  const leadAndRenew = async (heldSinceMs: number, signal: AbortSignal, work: LeaderWork): Promise<LeadershipEnd> => {
    const enough = new AbortController();
    const lost = new AbortController();
    const renewed = keeper.renewUntilLost(heldSinceMs, enough.signal).then(() => {
      if (enough.signal.aborted) return;
      leads(false);
      logSafely(() => logger.error('lost leadership', where));
      lost.abort(new DOMException('leadership was lost', 'AbortError'));
    });
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      enough.abort();
      await renewed;
    }
    return lost.signal.aborted ? 'lost' : 'finished';
  };

  return {
    isLeader: () => isLeading,
    async run(signal, work) {
      const heldSinceMs = await keeper.acquire(signal);
      if (heldSinceMs === undefined) return 'finished';
      leads(true);
      logger.info('became the leader', where);
      const end = await leadAndRenew(heldSinceMs, signal, work);
      if (end === 'finished') {
        leads(false);
        await keeper.release();
      }
      return end;
    },
  };
};
