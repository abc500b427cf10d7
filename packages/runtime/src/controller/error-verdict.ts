import { KubeError } from '../client/kube-error.ts';
import { isFailure } from '../failure/failures.ts';

/**
 * What an error of a reconcile is, and what the loop does about it.
 * - `none`: no error, the loop itself is ending.
 * - `conflict`: tries again. Somebody else wrote first, which is normal and not logged.
 * - `failure`: logs it and tries again with backoff. A call that ran into a limit of the reconcile's own is one too.
 * - `bug`: anything else. Counts it, logs it once with its stack, and tries again with backoff: one object that
 * triggers a bug stops no other.
 */
export type ErrorVerdict = 'none' | 'conflict' | 'failure' | 'bug';

/** The one error policy of all controllers. */
export const judgeError = (error: unknown, signal: AbortSignal): ErrorVerdict => {
  if (signal.aborted && error === signal.reason) return 'none';
  if (!isFailure(error)) return 'bug';
  if (signal.aborted) return 'none';
  return error instanceof KubeError && error.code === 'conflict' ? 'conflict' : 'failure';
};
