import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../log/logger.ts';
import type { BackoffDelays } from '../queue/backoff.ts';
import type { WorkQueueMetrics } from '../queue/work-queue.ts';
import type { ErrorVerdict } from './error-verdict.ts';

/** How one reconcile ended. */
export type ReconcileResult = 'settled' | 'requeue' | ErrorVerdict;

/** Counts what controllers do. */
export interface ControllerMetrics {
  reconciled(controller: string, result: ReconcileResult, durationMs: number): void;
  /** A reconcile threw what is no failure, or contained it itself. */
  bug(controller: string): void;
  /** The queue of one controller. */
  queue(controller: string): WorkQueueMetrics;
}

/** What every controller loop is given. */
export interface LoopEnvironment {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: ControllerMetrics;
  /** Between tries of one key that fails; 5 ms to 1,000 s when left out. */
  readonly backoff?: BackoffDelays;
  /**
   * Called after a bug of a reconcile was counted and logged. The loop goes on: an application needs none; tests fail
   * by it.
   */
  readonly onBug?: (error: unknown, controller: string) => void;
}
