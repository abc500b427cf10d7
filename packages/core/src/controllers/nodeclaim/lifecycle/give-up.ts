import { deleteNodeClaim } from '../../../actions/index.ts';
import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { unreachable } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { Shell } from '../../shell.ts';
import type { Overdue } from './liveness-of.ts';
import { tellPool } from './tell-pool.ts';
import type { ClaimOutcome } from './tell-pool.ts';

/** What to record for the pool about a claim that ran out of time. */
const outcomeOf = (claim: NodeClaim, reason: Overdue): ClaimOutcome => {
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
      return { kind: 'failed', step: 'initialized', cause: 'InitializationTimeout', message: 'The node came, and never became ready' };
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
  await tellPool(shell, { claim, outcome: outcomeOf(claim, reason) }, signal);
  await deleteNodeClaim(shell, claim, { reason, signal });
};
