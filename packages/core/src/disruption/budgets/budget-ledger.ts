import { allowedDisruptions, nodeClaimConditions } from '../../apis/index.ts';
import type { Budget, DisruptionReason } from '../../apis/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isConditionTrue } from '../../kube/index.ts';

/** Counts how many more nodes of each pool may go for one reason. */
export interface BudgetLedger {
  /** Charges one node to the pool's budget; false when it allows no more. */
  readonly take: (nodePoolName: string) => boolean;
  readonly left: (nodePoolName: string) => number;
  /** Why another node of the pool may not go; `undefined` while one may. */
  readonly blocker: (nodePoolName: string) => Blocker | undefined;
}

/**
 * A fresh ledger: what the pools' budgets allow for the reason, less the nodes that are not ready or on their way out
 * already.
 */
export const budgetLedger = (context: DisruptionContext, reason: DisruptionReason): BudgetLedger => {
  const read = new Map(disruptionAllowances(context, [reason]).map((allowance) => [allowance.nodePoolName, allowance]));
  const remaining = new Map([...read].map(([name, { allowed, disrupting }]) => [name, Math.max(0, allowed - disrupting)]));
  const left = (nodePoolName: string): number => remaining.get(nodePoolName) ?? 0;
  return {
    left,
    take: (nodePoolName) => {
      if (left(nodePoolName) < 1) return false;
      remaining.set(nodePoolName, left(nodePoolName) - 1);
      return true;
    },
    blocker: (nodePoolName) => {
      if (left(nodePoolName) > 0) return undefined;
      const { allowed = 0, disrupting = 0, budget } = read.get(nodePoolName) ?? {};
      const going = Math.max(disrupting, allowed - left(nodePoolName));
      return { kind: 'budget', reason, nodePoolName, allowed, disrupting: going, ...(budget && { budget }) };
    },
  };
};

/** How many nodes of a pool its budgets let go for one reason, and how many are on their way out already. */
export interface DisruptionAllowance {
  readonly nodePoolName: string;
  readonly reason: DisruptionReason;
  /** Nodes of the pool that count. */
  readonly nodes: number;
  /** How many may be disrupted at once; Infinity where no budget applies. */
  readonly allowed: number;
  /** The budget that sets `allowed`. */
  readonly budget?: Budget;
  /** How many are not ready or on their way out already. */
  readonly disrupting: number;
}

const counts = ({ claim, isInitialized }: NodeView): boolean =>
  claim !== undefined && isInitialized && !isConditionTrue(claim.status?.conditions, nodeClaimConditions.instanceTerminating);

/**
 * What the budgets of each pool allow for these reasons.
 * Source: the original's `BuildDisruptionBudgetMapping`.
 */
export const disruptionAllowances = (
  { snapshot, nowMs }: Pick<DisruptionContext, 'snapshot' | 'nowMs'>,
  reasons: readonly DisruptionReason[],
): readonly DisruptionAllowance[] => {
  const nodeCounts = new Map<string, number>();
  const disrupting = new Map<string, number>();
  for (const node of snapshot.nodes.filter(counts)) {
    const pool = node.nodePoolName ?? '';
    nodeCounts.set(pool, (nodeCounts.get(pool) ?? 0) + 1);
    if (!node.isReady || node.isMarkedForDeletion) disrupting.set(pool, (disrupting.get(pool) ?? 0) + 1);
  }
  return snapshot.nodePools.flatMap(({ nodePool }) => {
    const { name } = nodePool.metadata;
    const nodes = nodeCounts.get(name) ?? 0;
    return reasons.map((reason) => ({
      nodePoolName: name,
      reason,
      nodes,
      ...allowedDisruptions(nodePool, reason, { nodeCount: nodes, nowMs }),
      disrupting: disrupting.get(name) ?? 0,
    }));
  });
};
