import { deleteNodeClaim } from '../../../actions/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { FailedLaunch } from '../../../cloudprovider/index.ts';
import { isInitialized, isRegistered } from '../../../state/index.ts';
import type { MissedStep } from '../../../state/index.ts';
import type { Shell } from '../../shell.ts';
import { shortened } from './launch-outcome.ts';
import { tellPool } from './tell-pool.ts';

const reason = 'async_provisioning';

/** That others of the pool were accepted as well says nothing: only one that came further is a success. */
const missedBy = (claim: NodeClaim): MissedStep => {
  if (isInitialized(claim)) return 'kept';
  return isRegistered(claim) ? 'initialized' : 'registered';
};

/**
 * Ends a claim whose machine its cloud accepted and failed to make; its pods are planned again. As with refusals, what
 * is out of stock makes no pause: the provider remembers it, and the pool may try its other offerings at once.
 */
export const giveUpFailed = async (
  shell: Shell,
  { claim, failed: { cause, message, isOutOfStock } }: { claim: NodeClaim; failed: FailedLaunch },
  signal: AbortSignal,
): Promise<void> => {
  shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: false });
  const outcome = { kind: 'failed', step: missedBy(claim), cause, message: shortened(message) } as const;
  if (!isOutOfStock) await tellPool(shell, { claim, outcome }, signal);
  await deleteNodeClaim(shell, claim, { reason, signal });
};
