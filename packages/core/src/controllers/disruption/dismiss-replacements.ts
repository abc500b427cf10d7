import { clusterLimitBroken, deleteNodeClaim, limitBroken, patchNodeClaim } from '../../actions/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isReschedulable } from '../../kube/index.ts';
import { commandRecordOf, REPLACES_ANNOTATION } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

interface Replacement {
  readonly claim: NodeClaim;
  readonly nodePoolName: string;
  /** Pods can run there already, or are nominated for it. */
  readonly isNeeded: boolean;
}

const replacementIn = (view: NodeView, commandId: string): readonly Replacement[] => {
  const { claim, nodePoolName = '', isInitialized, isMarkedForDeletion, pods } = view;
  if (claim === undefined || isMarkedForDeletion || commandRecordOf(claim)?.id !== commandId) return [];
  return [{ claim, nodePoolName, isNeeded: isInitialized || pods.some(isReschedulable) }];
};

const unneededFirst = (a: Replacement, b: Replacement): number =>
  Number(a.isNeeded) - Number(b.isNeeded) || compareText(a.claim.metadata.name, b.claim.metadata.name);

/** Whether the limits of the pool and of the cluster hold with everything that there is now. */
const isWithinLimits = ({ caches, state }: Shell, { nodePoolName }: Replacement): boolean => {
  const pool = caches.nodePools.get({ name: nodePoolName });
  const shared = state.clusterLimits();
  if (shared !== undefined && clusterLimitBroken(shared) !== undefined) return false;
  return pool === undefined || limitBroken(pool, state.usageOf(nodePoolName)) === undefined;
};

/**
 * Dismisses the replacements of a command that was called off. Those that no pod needs yet are deleted, and so are
 * those that exceed the limits beside the nodes that now stay. The others become ordinary nodes, to be used or to be
 * found empty. Safe to repeat. Differs: the original leaves them all, so that a pool may stand above its limits.
 */
export const dismissReplacements = async (shell: Shell, commandId: string, signal: AbortSignal): Promise<void> => {
  const views = shell.state.views(shell.clock.now());
  for (const replacement of views.flatMap((view) => replacementIn(view, commandId)).sort(unneededFirst)) {
    const { claim, isNeeded } = replacement;
    if (isNeeded && isWithinLimits(shell, replacement)) {
      await patchNodeClaim(shell, { claim, body: { metadata: { annotations: { [REPLACES_ANNOTATION]: null } } } }, { signal });
    } else await deleteNodeClaim(shell, claim, { reason: 'called_off', signal });
  }
};
