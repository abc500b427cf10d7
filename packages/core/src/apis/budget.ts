import { COUNTS, durationMs, isInCronWindow, PERCENT, wholeNumberIn } from '../base/index.ts';
import type { Budget, DisruptionReason, NodePool } from './node-pool.ts';
import { disruptionOf } from './with-defaults.ts';

const NODES = /^(\d+)(%?)$/;

/**
 * How many nodes a budget's `nodes` allows of a pool of `nodeCount`; percentages round up. Undefined when malformed.
 * Differs: a count that is too large to be exact allows all nodes; the original cuts a count to 32 bits.
 */
export const nodesOfBudget = (nodes: string, nodeCount: number): number | undefined => {
  const [, digits, sign] = NODES.exec(nodes) ?? [];
  if (digits === undefined) return undefined;
  if (sign !== '%') return wholeNumberIn(digits, COUNTS) ?? COUNTS.max;
  const percent = wholeNumberIn(digits, PERCENT);
  return percent === undefined ? undefined : Math.ceil((percent * nodeCount) / 100);
};

/** Whether the budget applies now; undefined when its schedule or duration is malformed, or one of the two is missing. */
const isBudgetActive = ({ schedule, duration }: Budget, nowMs: number): boolean | undefined => {
  if (schedule === undefined && duration === undefined) return true;
  if (schedule === undefined || duration === undefined) return undefined;
  const lengthMs = durationMs(duration);
  return lengthMs === undefined ? undefined : isInCronWindow(schedule, lengthMs, nowMs);
};

/** The query to a budget: for which reason, and when (epoch ms). */
export interface BudgetQuestion {
  readonly nodeCount: number;
  readonly nowMs: number;
}

/** What one budget allows for a reason: Infinity where it does not apply, 0 where it is malformed. */
const allowedBy = (budget: Budget, reason: DisruptionReason, { nodeCount, nowMs }: BudgetQuestion): number => {
  const nodes = nodesOfBudget(budget.nodes, nodeCount);
  const isActive = isBudgetActive(budget, nowMs);
  if (nodes === undefined || isActive === undefined) return 0;
  const isMeant = budget.reasons === undefined || budget.reasons.includes(reason);
  return isActive && isMeant ? nodes : Number.POSITIVE_INFINITY;
};

/** How many nodes may be under disruption at once, and the budget that allows no more; none where no budget applies. */
export interface AllowedDisruptions {
  readonly allowed: number;
  readonly budget?: Budget;
}

const noLimit: AllowedDisruptions = { allowed: Number.POSITIVE_INFINITY };

/**
 * How many nodes of the pool may be under disruption for the reason at once: the least that an applicable budget
 * allows, Infinity when none applies; of several budgets that allow as little, the first. Fails closed: one malformed
 * budget allows nothing, whatever it is about. Source: the original's `NodePool.GetAllowedDisruptionsByReason`.
 */
export const allowedDisruptions = (nodePool: NodePool, reason: DisruptionReason, question: BudgetQuestion): AllowedDisruptions =>
  disruptionOf(nodePool).budgets.reduce((least, budget) => {
    const allowed = allowedBy(budget, reason, question);
    return allowed < least.allowed ? { allowed, budget } : least;
  }, noLimit);
