import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { annotations } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isDeleting } from '../../../state/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { giveUpBy } from '../give-up-by.ts';

/**
 * Gives up nodes whose machines the cloud has announced to take away: closed and drained at once, with what is left of the notice as the
 * deadline; their pods are planned again at the same time. Budgets, `do-not-disrupt` and the number of nodes that are ill do not count.
 * Differs: in the original this is node repair: off by default, held back when a fifth of the nodes are ill, and pods are ended at once.
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
    await giveUpBy(shell, { claim, deadlineMs, reason: 'interrupted' }, signal);
    shell.reporter.report({ kind: 'interrupted', node, claim, reason: announced.reason, deadlineMs });
    return settled;
  },
});
