import { deleteNodeClaim } from '../../../actions/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { FailedLaunch } from '../../../cloudprovider/index.ts';
import { isRegistered } from '../../../state/index.ts';
import type { Shell } from '../../shell.ts';
import { shortened } from './shortened.ts';
import { tellPool } from './tell-pool.ts';

const reason = 'async_provisioning';

/**
 * Ends a claim whose machine its cloud accepted and failed to make; its pods are planned again. As with refusals, what is out of stock makes no
 * pause: the provider remembers it, and the pool may try its other offerings at once.
 */
export const giveUpFailed = async (
  shell: Shell,
  { claim, failed: { cause, message, isOutOfStock } }: { claim: NodeClaim; failed: FailedLaunch },
  signal: AbortSignal,
): Promise<void> => {
  shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: false });
  // That others of the pool were accepted as well says nothing: only one that came further is a success.
  const step = isRegistered(claim) ? 'initialized' : 'registered';
  if (!isOutOfStock) await tellPool(shell, { claim, outcome: { kind: 'failed', step, cause, message: shortened(message) } }, signal);
  await deleteNodeClaim(shell, claim, { reason, signal });
};
