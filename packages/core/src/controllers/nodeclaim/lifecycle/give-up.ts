import { deleteNodeClaim } from '../../../actions/index.ts';
import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { unreachable } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { Shell } from '../../shell.ts';
import type { Overdue } from './liveness-of.ts';
import { tellPool } from './tell-pool.ts';
import type { ClaimOutcome } from './tell-pool.ts';
import type { FailedLaunch } from '../../../cloudprovider/index.ts';
import { isInitialized, isRegistered } from '../../../state/index.ts';
import type { MissedStep } from '../../../state/index.ts';
import { shortened } from './launch.ts';

/** What a node that came lacked to the end. */
const neverInitialized = ({ status }: NodeClaim): string => {
  const { reason, message = '' } = conditionOf(status?.conditions, nodeClaimConditions.initialized) ?? {};
  return reason === 'DRADriverPoolsNotPublished' ? `The node came: ${message}` : 'The node came, and never became ready';
};

type Missed = Extract<ClaimOutcome, { readonly kind: 'failed' }>;

/** What to record for the pool about a claim that ran out of time. */
const outcomeOf = (claim: NodeClaim, reason: Overdue): Missed => {
  switch (reason) {
    case 'launch_timeout': {
      const launched = conditionOf(claim.status?.conditions, nodeClaimConditions.launched);
      const cause = launched?.reason ?? 'LaunchFailed';
      return { kind: 'failed', step: 'launched', cause, message: launched?.message ?? '' };
    }
    case 'registration_timeout':
      return {
        kind: 'failed',
        step: 'registered',
        cause: 'RegistrationTimeout',
        message: 'The machine was launched, its node did not come',
      };
    case 'initialization_timeout':
      return { kind: 'failed', step: 'initialized', cause: 'InitializationTimeout', message: neverInitialized(claim) };
    default:
      return unreachable(reason);
  }
};

/** Deletes a claim that ran out of time; its pods are planned again. */
export const giveUp = async (
  shell: Shell,
  { claim, reason }: { claim: NodeClaim; reason: Overdue },
  signal: AbortSignal,
): Promise<void> => {
  const outcome = outcomeOf(claim, reason);
  if (reason === 'initialization_timeout') shell.reporter.report({ kind: 'never-initialized', claim, message: outcome.message });
  await tellPool(shell, { claim, outcome }, signal);
  await deleteNodeClaim(shell, claim, { reason, signal });
};

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
