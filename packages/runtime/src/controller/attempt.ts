import { logSafely, reportSafely } from '../log/report-safely.ts';
import type { BugLog, ReconcileSubject } from './bug-log.ts';
import { workingFor } from './controller-at-work.ts';
import { judgeError } from './judge-error.ts';
import type { LoopEnvironment, ReconcileResult } from './loop-environment.ts';
import type { Outcome } from './outcome.ts';

/** One reconcile to be tried. */
export interface Attempt extends ReconcileSubject {
  readonly signal: AbortSignal;
  /** Of the loop that tries. */
  readonly bugs: BugLog;
  readonly reconcile: () => Promise<Outcome>;
}

/** How it ended. */
export interface Attempted {
  readonly result: ReconcileResult;
  /** There when the outcome asked to be called again. */
  readonly afterMs?: number;
}

/** Judges what a reconcile threw, and logs it unless that is normal. */
const resultOfError = ({ logger }: LoopEnvironment, attempted: Attempt, error: unknown): ReconcileResult => {
  const { controller, key, signal, bugs } = attempted;
  const result = judgeError(error, signal);
  const fields = { logger: controller, ...(key === undefined ? {} : { object: key }), error };
  if (result === 'conflict') logSafely(() => logger.debug('reconcile met a concurrent write', fields));
  if (result === 'failure') logSafely(() => logger.error('reconcile failed', fields));
  if (result === 'bug') bugs.found(attempted, error);
  return result;
};

/**
 * Runs a reconcile; whatever it throws is judged, logged and counted here and nowhere else. Rejects only when `onBug` throws: metrics and
 * log lines that fail change nothing.
 */
export const attempt = async (environment: LoopEnvironment, attempted: Attempt): Promise<Attempted> => {
  const { clock, logger, metrics, onBug } = environment;
  const { controller, bugs, reconcile } = attempted;
  const startedAtMs = clock.now();
  const count = (result: ReconcileResult): void =>
    void reportSafely({ logger, about: { controller } }, () => metrics?.reconciled(controller, result, clock.now() - startedAtMs));
  let outcome: Outcome;
  try {
    outcome = await workingFor(controller, reconcile);
  } catch (error) {
    const result = resultOfError(environment, attempted, error);
    count(result);
    if (result === 'bug') onBug?.(error, controller);
    return { result };
  }
  bugs.passed(attempted);
  count(outcome.kind === 'settled' ? 'settled' : 'requeue');
  return outcome.kind === 'settled' ? { result: 'settled' } : { result: 'requeue', afterMs: outcome.afterMs };
};
