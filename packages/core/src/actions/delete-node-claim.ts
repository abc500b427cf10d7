import type { NodeClaim } from '../apis/index.ts';
import type { DecisionReporter } from '../ports/index.ts';
import type { Acting } from './write-through.ts';

export interface Deleting extends Acting {
  readonly reporter: DecisionReporter;
}

/** Asks for a claim's end; its finalizer sees to node and machine. Reports `reason` once: a claim that is going already is left alone. */
export const deleteNodeClaim = async (
  { kube, reporter }: Deleting,
  claim: NodeClaim,
  { reason, signal }: { reason: string; signal: AbortSignal },
): Promise<void> => {
  if (claim.metadata.deletionTimestamp !== undefined) return;
  const { name, uid } = claim.metadata;
  const deletion = await kube.delete('NodeClaim', { name }, { signal, ...(uid === undefined ? {} : { uid }) });
  if (deletion !== 'gone') reporter.report({ kind: 'claim-disrupted', claim, reason });
};
