import { KubeError } from '../client/kube-error.ts';
import { isFailure } from '../failure/is-failure.ts';

/**
 * What the loop does about something that a reconcile threw.
 * `none`: the loop itself is ending. A call that the reconcile gave up by a limit of its own is a `failure`: the work is not done. `conflict`: somebody else wrote first, which is everyday and not logged as trouble; it is tried
 * again. `failure`: logged and tried again with backoff. `bug`: the process has to end.
 */
export type Reaction = 'none' | 'conflict' | 'failure' | 'bug';

/** The one error policy of all controllers. */
export const reactionTo = (error: unknown, signal: AbortSignal): Reaction => {
  if (signal.aborted && error === signal.reason) return 'none';
  if (!isFailure(error)) return 'bug';
  if (signal.aborted) return 'none';
  return error instanceof KubeError && error.code === 'conflict' ? 'conflict' : 'failure';
};
