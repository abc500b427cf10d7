import type { RepairPolicy } from '../../cloudprovider/index.ts';
import { epochMsOf } from '../../base/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Node } from '../../kube/index.ts';
import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller, Outcome } from '@karpenter/runtime';
import { labels } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { isDeleting } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';
import { deleteWithDeadline } from './termination-deadline.ts';

/** A condition by which a node counts as unhealthy, and when it becomes a reason to delete the node. */
interface UnhealthyCondition {
  readonly policy: RepairPolicy;
  readonly sinceMs: number;
  readonly dueMs: number;
}

/** The unhealthy condition whose toleration ends first; undefined for a healthy node. */
export const unhealthyConditionOf = ({ status }: Node, policies: readonly RepairPolicy[]): UnhealthyCondition | undefined => {
  const found = policies.flatMap((policy): readonly UnhealthyCondition[] => {
    const condition = conditionOf(status?.conditions, policy.conditionType);
    const sinceMs = epochMsOf(condition?.lastTransitionTime);
    if (sinceMs === undefined || condition?.status !== policy.conditionStatus) return [];
    return [{ policy, sinceMs, dueMs: sinceMs + policy.tolerationMs }];
  });
  return found.reduce<UnhealthyCondition | undefined>(
    (first, each) => (first === undefined || each.dueMs < first.dueMs ? each : first),
    undefined,
  );
};

/** One unhealthy node is tolerated for so many nodes, rounded up. */
const NODES_PER_TOLERATED = 5;

/**
 * Whether so many nodes are unhealthy that the cause probably lies elsewhere: more than a fifth, rounded up. Replacing
 * them would only make it worse. Source: the original's `pkg/controllers/node/health/controller.go`.
 */
export const areTooManyUnhealthy = (nodes: readonly Node[], policies: readonly RepairPolicy[]): boolean =>
  nodes.filter((node) => unhealthyConditionOf(node, policies) !== undefined).length > Math.ceil(nodes.length / NODES_PER_TOLERATED);

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
  await deleteWithDeadline(shell, { claim, deadlineMs: shell.clock.now(), reason: 'unhealthy' }, signal);
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
