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
 * Asks for a claim's end; its finalizer sees to node and machine. Reports `reason` once: a claim that is going already is left alone. From
 * then on it counts as going, for budgets too, whatever the cache still shows.
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
