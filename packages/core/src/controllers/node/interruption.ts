import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { annotations } from '../../apis/index.ts';
import { epochMsOf } from '../../base/index.ts';
import type { Node } from '../../kube/index.ts';
import { isDeleting } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';
import { deleteWithDeadline } from './termination-deadline.ts';

/**
 * Deletes nodes whose machines the cloud will take away. They drain at once, with the end of the notice as the
 * termination deadline. Their pods are already planned elsewhere. Ignores budgets, `do-not-disrupt` and the number of
 * unhealthy nodes. Differs: in the original this is node repair. Off by default, blocked when a fifth of the nodes
 * are unhealthy, and pods are ended at once.
 */
export const interruption = (shell: Shell): Controller<Node> => ({
  name: 'node.interruption',
  kind: 'Node',
  concurrency: 100,
  async reconcile(node, { signal }) {
    const announced = shell.provider.interruptionOf?.(node);
    const claim = shell.state.claimOf(node);
    if (announced === undefined || claim === undefined || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    // Whole seconds: a timestamp in an annotation has no finer ones.
    const deadlineMs = Math.floor(Math.max(announced.deadlineMs, shell.clock.now()) / 1000) * 1000;
    const said = epochMsOf(claim.metadata.annotations?.[annotations.terminationTimestamp]);
    if (isDeleting(claim) && said !== undefined && said <= deadlineMs) return settled;
    await deleteWithDeadline(shell, { claim, deadlineMs, reason: 'interrupted' }, signal);
    shell.reporter.report({ kind: 'interrupted', node, claim, reason: announced.reason, deadlineMs });
    return settled;
  },
});
