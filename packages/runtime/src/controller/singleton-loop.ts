import { backoffMs } from '../queue/backoff.ts';
import { attempt } from './attempt.ts';
import { BugLog } from './bug-log.ts';
import type { ReconcileContext, SingletonController, Outcome } from './controller.ts';
import type { LoopEnvironment } from './loop-environment.ts';

const DEFAULT_BACKOFF = { baseMs: 500, maxMs: 60_000 };

/** Runs a singleton until it settles or the signal is aborted. One that fails or has a bug is retried with backoff. */
export const runSingleton = async (singleton: SingletonController, environment: LoopEnvironment, signal: AbortSignal): Promise<void> => {
  const { clock, backoff = DEFAULT_BACKOFF } = environment;
  const reconcile = async (context: ReconcileContext): Promise<Outcome> => {
    await singleton.untilWork?.(context);
    return singleton.reconcile(context);
  };
  const bugs = new BugLog(environment.logger);
  const once = () => attempt(environment, { controller: singleton.name, signal, bugs, reconcile });
  for (let failures = 0; !signal.aborted;) {
    const { result, afterMs } = await once();
    if (result === 'settled') return;
    failures = result === 'requeue' ? 0 : failures + 1;
    // The only way for this sleep to fail is the signal, which ends the loop.
    await clock.sleep(afterMs ?? backoffMs(failures, backoff), signal).catch(() => undefined);
  }
};
