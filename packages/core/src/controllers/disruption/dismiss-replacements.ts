import { deleteNodeClaim, limitBroken, patchNodeClaim } from '../../actions/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isReschedulable } from '../../kube/index.ts';
import { commandRecordOf, REPLACES_ANNOTATION } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

interface Replacement {
  readonly claim: NodeClaim;
  readonly nodePoolName: string;
  /** Pods can run there, or wait for it. */
  readonly isOfUse: boolean;
}

const replacementIn = (view: NodeView, commandId: string): readonly Replacement[] => {
  const { claim, nodePoolName = '', isInitialized, isMarkedForDeletion, pods } = view;
  if (claim === undefined || isMarkedForDeletion || commandRecordOf(claim)?.id !== commandId) return [];
  return [{ claim, nodePoolName, isOfUse: isInitialized || pods.some(isReschedulable) }];
};

const uselessFirst = (a: Replacement, b: Replacement): number =>
  Number(a.isOfUse) - Number(b.isOfUse) || compareText(a.claim.metadata.name, b.claim.metadata.name);

/** Whether the pool's limits hold with everything that it has now. */
const isWithinLimits = ({ caches, state }: Shell, { nodePoolName }: Replacement): boolean => {
  const pool = caches.nodePools.get({ name: nodePoolName });
  return pool === undefined || limitBroken(pool, state.usageOf(nodePoolName)) === undefined;
};

/**
 * Has a command that was called off no replacements any more: those that no pod needs yet go, and so do those that the limits leave no room
 * for beside the nodes that stay after all. The others stay as any node does, to be used or to be found empty. Safe to repeat.
 * Differs: the original leaves them all, so that a pool may stand above its limits.
 */
export const dismissReplacements = async (shell: Shell, commandId: string, signal: AbortSignal): Promise<void> => {
  const views = shell.state.views(shell.clock.now());
  for (const replacement of views.flatMap((view) => replacementIn(view, commandId)).sort(uselessFirst)) {
    const { claim, isOfUse } = replacement;
    if (isOfUse && isWithinLimits(shell, replacement)) {
      await patchNodeClaim(shell, { claim, body: { metadata: { annotations: { [REPLACES_ANNOTATION]: null } } } }, { signal });
    } else await deleteNodeClaim(shell, claim, { reason: 'called_off', signal });
  }
};
