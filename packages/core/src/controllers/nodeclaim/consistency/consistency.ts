import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writeClaimStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { isDeleting, isInitialized } from '../../../state/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { inconsistencyOf } from './consistency-of.ts';

const PERIOD_MS = 10 * 60_000;
const type = nodeClaimConditions.consistentStateFound;

/** Keeps `ConsistentStateFound`: whether a node that runs has about what the cloud said it would have. */
export const consistency = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.consistency',
  kind: 'NodeClaim',
  concurrency: 10,
  async reconcile(claim, { signal }) {
    if (isDeleting(claim) || !isInitialized(claim) || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const [node] = shell.state.nodesWith(claim.status?.providerID ?? '');
    if (node === undefined) return settled;
    const message = inconsistencyOf(claim, node);
    if (message !== undefined) shell.reporter.report({ kind: 'claim-inconsistent', claim, message });
    const change: ConditionChange =
      message === undefined ? { type, status: 'True' } : { type, status: 'False', reason: 'ConsistencyCheckFailed', message };
    await writeClaimStatus(shell, { claim, conditions: [change] }, { signal, nowMs: shell.clock.now() });
    return requeueAfter(PERIOD_MS);
  },
});
