import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller, Outcome } from '@karpenter/runtime';
import { labels } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isDeleting } from '../../../state/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { giveUpBy } from '../give-up-by.ts';
import { unhealthyConditionOf, areTooManyUnhealthy } from './unhealthy-condition.ts';
import type { UnhealthyCondition } from './unhealthy-condition.ts';

const BLOCKED_RETRY_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

interface UnhealthyNode {
  readonly node: Node;
  readonly claim: NodeClaim;
}

/** The nodes among which the unhealthy ones are counted: those of the same pool, or all where it has none. */
const peersOf = ({ caches }: Shell, { claim }: UnhealthyNode): readonly Node[] => {
  const nodePool = claim.metadata.labels?.[labels.nodePool];
  const nodes = caches.nodes.list();
  return nodePool === undefined ? nodes : nodes.filter(({ metadata }) => metadata.labels?.[labels.nodePool] === nodePool);
};

const repair = async (
  shell: Shell,
  { node, claim, unhealthy }: UnhealthyNode & { readonly unhealthy: UnhealthyCondition },
  signal: AbortSignal,
): Promise<Outcome> => {
  await giveUpBy(shell, { claim, deadlineMs: shell.clock.now(), reason: 'unhealthy' }, signal);
  // A drain that was under way is cut short: nobody on a dead node can let go of its pods. It was counted when it began.
  if (!isDeleting(claim)) shell.reporter.report({ kind: 'node-unhealthy', node, claim, condition: unhealthy.policy.conditionType });
  return settled;
};

/**
 * Deletes nodes that have had a condition of the provider's `repairPolicies` for too long. Ignores budgets and
 * `do-not-disrupt`.
 */
export const health = (shell: Shell): Controller<Node> => ({
  name: 'node.health',
  kind: 'Node',
  concurrency: 10,
  async reconcile(node, { signal }) {
    const claim = shell.state.claimOf(node);
    if (claim === undefined || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const { repairPolicies } = shell.provider;
    const unhealthy = unhealthyConditionOf(node, repairPolicies);
    if (unhealthy === undefined) return settled;
    const inMs = unhealthy.dueMs - shell.clock.now();
    if (inMs > 0) return requeueAfter(Math.min(inMs, LONGEST_WAIT_MS));
    if (areTooManyUnhealthy(peersOf(shell, { node, claim }), repairPolicies)) {
      shell.reporter.report({ kind: 'repair-blocked', node, claim });
      return requeueAfter(BLOCKED_RETRY_MS);
    }
    return repair(shell, { node, claim, unhealthy }, signal);
  },
});
