import { logSafely, reportSafely } from '../log/safe-report.ts';
import type { BugLog, ReconcileSubject } from './bug-log.ts';
import { workingFor } from './controller-at-work.ts';
import type { ReconcileContext, Outcome } from './controller.ts';
import { judgeError } from './error-verdict.ts';
import type { LoopEnvironment, ReconcileResult } from './loop-environment.ts';

/** One reconcile to be tried. */
export interface ReconcileAttempt extends ReconcileSubject {
  readonly signal: AbortSignal;
  /** Of the loop that tries. */
  readonly bugs: BugLog;
  readonly reconcile: (context: ReconcileContext) => Promise<Outcome>;
}

/** How it ended. */
export interface Attempted {
  readonly result: ReconcileResult;
  /** There when the outcome asked to be called again. */
  readonly afterMs?: number;
}

/** Counts and logs a bug, and hands it to `onBug`. */
const reportBug = ({ logger, metrics, onBug }: LoopEnvironment, attempted: ReconcileAttempt, error: unknown): void => {
  const { controller, bugs } = attempted;
  bugs.found(attempted, error);
  reportSafely({ logger, about: { controller } }, () => metrics?.bug(controller));
  onBug?.(error, controller);
};

/** Judges what a reconcile threw, and logs it unless that is normal. */
const resultOfError = ({ logger }: LoopEnvironment, { controller, key, signal }: ReconcileAttempt, error: unknown): ReconcileResult => {
  const result = judgeError(error, signal);
  const fields = { logger: controller, ...(key === undefined ? {} : { object: key }), error };
  if (result === 'conflict') logSafely(() => logger.debug('reconcile met a concurrent write', fields));
  if (result === 'failure') logSafely(() => logger.error('reconcile failed', fields));
  return result;
};

/**
 * Runs a reconcile; whatever it throws is judged, logged and counted here and nowhere else. Rejects only when `onBug`
 * throws: metrics and log lines that fail change nothing.
 */
export const attempt = async (environment: LoopEnvironment, attempted: ReconcileAttempt): Promise<Attempted> => {
  const { clock, logger, metrics } = environment;
  const { controller, signal, bugs, reconcile } = attempted;
  const startedAtMs = clock.now();
  let contained = 0;
  const foundBug = (error: unknown): void => {
    contained += 1;
    reportBug(environment, attempted, error);
  };
  const count = (result: ReconcileResult): void =>
    void reportSafely({ logger, about: { controller } }, () => metrics?.reconciled(controller, result, clock.now() - startedAtMs));
  let outcome: Outcome;
  try {
    outcome = await workingFor(controller, () => reconcile({ signal, foundBug }));
  } catch (error) {
    const result = resultOfError(environment, attempted, error);
    count(result);
    if (result === 'bug') reportBug(environment, attempted, error);
    return { result };
  }
  if (contained === 0) bugs.passed(attempted);
  count(outcome.kind === 'settled' ? 'settled' : 'requeue');
  return outcome.kind === 'settled' ? { result: 'settled' } : { result: 'requeue', afterMs: outcome.afterMs };
};
