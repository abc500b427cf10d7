import { workingFor } from './controller-at-work.ts';
import { judgeError } from './judge-error.ts';
import type { LoopEnvironment, ReconcileResult } from './loop-environment.ts';
import type { Outcome } from './outcome.ts';

/** One reconcile to be tried. */
export interface Attempt {
  readonly controller: string;
  /** The object's key; absent for singletons. */
  readonly key?: string;
  readonly signal: AbortSignal;
  readonly reconcile: () => Promise<Outcome>;
}

/** How it ended. */
export interface Attempted {
  readonly result: ReconcileResult;
  /** There when the outcome asked to be called again. */
  readonly afterMs?: number;
}

/** Runs a reconcile; whatever it throws is judged, logged and counted here and nowhere else. Never rejects. */
export const attempt = async (environment: LoopEnvironment, { controller, key, signal, reconcile }: Attempt): Promise<Attempted> => {
  const { clock, logger, metrics, onBug } = environment;
  const startedAtMs = clock.now();
  const finish = (attempted: Attempted): Attempted => {
    metrics?.reconciled(controller, attempted.result, clock.now() - startedAtMs);
    return attempted;
  };
  try {
    const outcome = await workingFor(controller, reconcile);
    return finish(outcome.kind === 'settled' ? { result: 'settled' } : { result: 'requeue', afterMs: outcome.afterMs });
  } catch (error) {
    const result = judgeError(error, signal);
    const fields = { logger: controller, ...(key === undefined ? {} : { object: key }), error };
    if (result === 'conflict') logger.debug('reconcile met a concurrent write', fields);
    if (result === 'failure') logger.error('reconcile failed', fields);
    if (result === 'bug') {
      logger.error('reconcile has a bug', fields);
      onBug(error, controller);
    }
    return finish({ result });
  }
};
