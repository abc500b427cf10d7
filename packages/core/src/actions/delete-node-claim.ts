import type { NodeClaim } from '../apis/index.ts';
import type { DecisionReporter } from '../ports/index.ts';
import { keyOfClaim } from '../state/index.ts';
import type { ClusterState } from '../state/index.ts';
import type { Acting } from './write-through.ts';

export interface Deleting extends Acting {
  readonly state: Pick<ClusterState, 'mark'>;
  readonly reporter: DecisionReporter;
}

/**
 * Deletes a claim; its finalizer takes care of node and machine. Reports `reason` once, and leaves a claim alone that
 * is being deleted already. From then on the machine counts as marked for deletion, for budgets too, whatever the cache
 * still shows.
 */
export const deleteNodeClaim = async (
  { kube, caches, state, reporter }: Deleting,
  claim: NodeClaim,
  { reason, signal }: { reason: string; signal: AbortSignal },
): Promise<void> => {
  if (claim.metadata.deletionTimestamp !== undefined) return;
  const { name, uid } = claim.metadata;
  const deletion = await kube.delete('NodeClaim', { name }, { signal, ...(uid === undefined ? {} : { uid }) });
  if (caches.nodeClaims.get({ name })?.metadata.uid === uid) state.mark([keyOfClaim(name)]);
  if (deletion === 'gone') return;
  reporter.report({ kind: 'claim-disrupted', claim, reason });
};
