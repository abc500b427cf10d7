import { deleteNodeClaim, patchNodeClaim } from '../../actions/index.ts';
import { annotations } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { epochMsOf, timestampOf } from '../../base/index.ts';
import type { Shell } from '../shell.ts';

export interface GivingUp {
  readonly claim: NodeClaim;
  /** When the last pod must have left; an earlier one that was said before stays. */
  readonly deadlineMs: number;
  /** For metrics. */
  readonly reason: string;
}

/** Asks for a claim's end with a time by which all must be over. One that is going already may get less time by it. */
export const giveUpBy = async (shell: Shell, { claim, deadlineMs, reason }: GivingUp, signal: AbortSignal): Promise<void> => {
  const said = epochMsOf(claim.metadata.annotations?.[annotations.terminationTimestamp]);
  if (said === undefined || said > deadlineMs) {
    const body = { metadata: { annotations: { [annotations.terminationTimestamp]: timestampOf(deadlineMs) } } };
    if ((await patchNodeClaim(shell, { claim, body }, { signal })) === 'gone') return;
  }
  await deleteNodeClaim(shell, claim, { reason, signal });
};
