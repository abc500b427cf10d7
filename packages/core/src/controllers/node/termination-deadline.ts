import { deleteNodeClaim, patchNodeClaim } from '../../actions/index.ts';
import { annotations } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { epochMsOf, timestampOf } from '../../base/index.ts';
import type { Shell } from '../shell.ts';

export interface DeadlineDeletion {
  readonly claim: NodeClaim;
  /** When the last pod must have left; an earlier deadline set before is kept. */
  readonly deadlineMs: number;
  /** For metrics. */
  readonly reason: string;
}

/** Deletes a claim with a deadline for its drain. One that is being deleted already may get an earlier deadline. */
export const deleteWithDeadline = async (
  shell: Shell,
  { claim, deadlineMs, reason }: DeadlineDeletion,
  signal: AbortSignal,
): Promise<void> => {
  const said = epochMsOf(claim.metadata.annotations?.[annotations.terminationTimestamp]);
  if (said === undefined || said > deadlineMs) {
    const body = { metadata: { annotations: { [annotations.terminationTimestamp]: timestampOf(deadlineMs) } } };
    if ((await patchNodeClaim(shell, { claim, body }, { signal })) === 'gone') return;
  }
  await deleteNodeClaim(shell, claim, { reason, signal });
};
