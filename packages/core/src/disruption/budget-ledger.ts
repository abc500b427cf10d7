import { allowedDisruptions, nodeClaimConditions } from '../apis/index.ts';
import type { DisruptionReason } from '../apis/index.ts';
import type { NodeView } from '../cluster/index.ts';
import { isConditionTrue } from '../kube/index.ts';
import type { DisruptionContext } from './disruption-context.ts';

/** How many more nodes of each pool may go for one reason. */
export interface BudgetLedger {
  /** Takes one node of the pool's budget; false when none is left. */
  readonly take: (nodePoolName: string) => boolean;
  readonly left: (nodePoolName: string) => number;
}

const counts = ({ claim, isInitialized }: NodeView): boolean =>
  claim !== undefined && isInitialized && !isConditionTrue(claim.status?.conditions, nodeClaimConditions.instanceTerminating);

/**
 * A fresh ledger: what the pools' budgets allow for the reason, less the nodes that are not ready or on their way out already.
 * Source: the original's `BuildDisruptionBudgetMapping`.
 */
export const budgetLedger = ({ snapshot, nowMs }: DisruptionContext, reason: DisruptionReason): BudgetLedger => {
  const nodeCounts = new Map<string, number>();
  const disrupting = new Map<string, number>();
  for (const node of snapshot.nodes.filter(counts)) {
    const pool = node.nodePoolName ?? '';
    nodeCounts.set(pool, (nodeCounts.get(pool) ?? 0) + 1);
    if (!node.isReady || node.isMarkedForDeletion) disrupting.set(pool, (disrupting.get(pool) ?? 0) + 1);
  }
  const remaining = new Map(
    snapshot.nodePools.map(({ nodePool }) => {
      const { name } = nodePool.metadata;
      const allowed = allowedDisruptions(nodePool, reason, { nodeCount: nodeCounts.get(name) ?? 0, nowMs });
      return [name, Math.max(0, allowed - (disrupting.get(name) ?? 0))];
    }),
  );
  const left = (nodePoolName: string): number => remaining.get(nodePoolName) ?? 0;
  return {
    left,
    take: (nodePoolName) => {
      if (left(nodePoolName) < 1) return false;
      remaining.set(nodePoolName, left(nodePoolName) - 1);
      return true;
    },
  };
};
