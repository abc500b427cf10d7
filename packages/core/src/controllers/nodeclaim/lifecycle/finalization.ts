import { requeueAfter, settled } from '@karpenter/runtime';
import type { Outcome } from '@karpenter/runtime';
import { patchNodeClaim, writeClaimStatus } from '../../../actions/index.ts';
import { annotations, nodeClaimConditions, TERMINATION_FINALIZER } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { durationMs, epochMsOf, timestampOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { isRegistered } from '../../../state/index.ts';
import type { Shell } from '../../shell.ts';

const INSTANCE_POLL_MS = 5000;

/**
 * The moment by which a claim that is going must be gone, as its annotation will say it; undefined when there is none
 * or it is said already.
 */
const missingDeadline = (claim: NodeClaim): string | undefined => {
  const deletedMs = epochMsOf(claim.metadata.deletionTimestamp);
  const graceMs = durationMs(claim.spec.terminationGracePeriod ?? '');
  if (deletedMs === undefined || graceMs === undefined) return undefined;
  return claim.metadata.annotations?.[annotations.terminationTimestamp] === undefined ? timestampOf(deletedMs + graceMs) : undefined;
};

/** Deletes the claim's nodes; true while any is left. */
const nodesRemain = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<boolean> => {
  if (!isRegistered(claim)) return false;
  const nodes = shell.state.nodesOf(claim);
  const going = nodes.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  await Promise.all(
    going.map(({ metadata: { name, uid } }) => shell.kube.delete('Node', { name }, { signal, ...(uid === undefined ? {} : { uid }) })),
  );
  return nodes.length > 0;
};

/** A machine that was already gone took no time; a claim without a machine has no time to count. */
const reportEnd = ({ reporter, clock }: Shell, claim: NodeClaim): void => {
  const nowMs = clock.now();
  const askedMs = epochMsOf(conditionOf(claim.status?.conditions, nodeClaimConditions.instanceTerminating)?.lastTransitionTime);
  const tookMs = nowMs - (epochMsOf(claim.metadata.deletionTimestamp) ?? nowMs);
  const hasMachine = claim.status?.providerID !== undefined;
  reporter.report({ kind: 'claim-terminated', claim, tookMs, ...(hasMachine ? { machineTookMs: nowMs - (askedMs ?? nowMs) } : {}) });
};

/**
 * The end of a claim: first its nodes (which are drained), then its machine, then the claim itself. Differs: the
 * machine is deleted even if the claim does not name it. The launch may have been cut off before it was written.
 */
export const finalize = async (shell: Shell, claim: NodeClaim, signal: AbortSignal): Promise<Outcome> => {
  if (!claim.metadata.finalizers?.includes(TERMINATION_FINALIZER)) return settled;
  const deadline = missingDeadline(claim);
  if (deadline !== undefined) {
    await patchNodeClaim(
      shell,
      { claim, body: { metadata: { annotations: { [annotations.terminationTimestamp]: deadline } } } },
      { signal },
    );
    return settled;
  }
  if (await nodesRemain(shell, claim, signal)) return settled;
  if ((await shell.provider.delete(claim, { signal })) === 'terminating') {
    const conditions = [{ type: nodeClaimConditions.instanceTerminating, status: 'True' }] as const;
    await writeClaimStatus(shell, { claim, conditions }, { signal, nowMs: shell.clock.now() });
    return requeueAfter(INSTANCE_POLL_MS);
  }
  const finalizers = claim.metadata.finalizers.filter((each) => each !== TERMINATION_FINALIZER);
  if ((await patchNodeClaim(shell, { claim, body: { metadata: { finalizers } } }, { signal })) === 'written') reportEnd(shell, claim);
  return settled;
};
