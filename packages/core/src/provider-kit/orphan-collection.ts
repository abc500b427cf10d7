import { Failures, requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { Clock, Logger } from '../ports/index.ts';

/** Something in the cloud that was made for a machine and can outlive it: an interface, a disk, an address. */
export interface Orphan {
  /** What the cloud calls it. */
  readonly name: string;
  /** In milliseconds of Unix time; left out: long ago. */
  readonly createdAtMs?: number;
  readonly remove: (signal: AbortSignal) => Promise<void>;
}

export interface OrphanCollectionOptions {
  /** Name of the controller. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  /** What is younger is left alone: cloud and cluster may disagree for a while. */
  readonly sparedMs: number;
  /**
   * What belongs to no machine and no NodeClaim now. Asks the cloud first and the cluster second, or it takes what is
   * just being made.
   */
  readonly find: (signal: AbortSignal) => Promise<readonly Orphan[]>;
  /** Whether a failure is about this orphan alone, which the cloud keeps for now. */
  readonly staysForNow: (error: unknown) => boolean;
}

/**
 * Deletes what machines left behind that never came, or went badly. One that stays does not hold up the others. A pass
 * lasts no longer than a period: the next one lists again.
 *
 * Errors: what could not be deleted, unless the cloud only keeps it for now, once all others were tried.
 */
export const orphanCollection = ({ name, clock, logger, ...collecting }: OrphanCollectionOptions): SingletonController => {
  const remove = async (orphan: Orphan, signal: AbortSignal): Promise<void> => {
    try {
      await orphan.remove(signal);
      logger.info('an orphan is deleted', { name: orphan.name });
    } catch (error) {
      if (!collecting.staysForNow(error)) throw error;
      logger.warn('the cloud keeps an orphan for now', { name: orphan.name, error });
    }
  };
  return {
    name,
    async reconcile({ signal }) {
      const nowMs = clock.now();
      const failures = new Failures();
      for (const orphan of await collecting.find(signal)) {
        if (signal.aborted || clock.now() >= nowMs + collecting.everyMs) break;
        if ((orphan.createdAtMs ?? 0) + collecting.sparedMs > nowMs) continue;
        await failures.apart(remove(orphan, signal));
      }
      failures.throwIfAny('orphans could not be deleted');
      return requeueAfter(collecting.everyMs);
    },
  };
};
