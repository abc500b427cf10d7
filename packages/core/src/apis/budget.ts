import { COUNTS, PERCENT, durationMs, isCronSchedule, isInCronWindow, wholeNumberIn } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { disruptionOf } from './node-pool.ts';
import type { Budget, DisruptionReason, NodePool } from './node-pool.ts';

const NODES = /^(\d+)(%?)$/;

/**
 * How many nodes a budget's `nodes` allows of a pool of `nodeCount`; percentages round up. Undefined when malformed.
 * Differs: a count that is too large to be exact allows all nodes; the original cuts a count to 32 bits.
 */
const nodesOfBudget = (nodes: string, nodeCount: number): number | undefined => {
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
 * How many nodes of the pool may be under disruption for the reason at once. The least that an applicable budget
 * allows, Infinity when none applies; of several budgets that allow as little, the first. Fails closed: one malformed
 * budget allows nothing, whatever it is about. Source: the original's `NodePool.GetAllowedDisruptionsByReason`.
 */
export const allowedDisruptions = (nodePool: NodePool, reason: DisruptionReason, question: BudgetQuestion): AllowedDisruptions =>
  disruptionOf(nodePool).budgets.reduce((least, budget) => {
    const allowed = allowedBy(budget, reason, question);
    return allowed < least.allowed ? { allowed, budget } : least;
  }, noLimit);

const REASONS: readonly string[] = ['Underutilized', 'Empty', 'Drifted'];

const windowProblems = (field: string, { schedule, duration }: Budget): readonly FieldProblem[] => {
  if (schedule === undefined && duration === undefined) return [];
  if (schedule === undefined) return [{ field: `${field}.schedule`, value: '', problem: 'must be set, as duration is' }];
  if (duration === undefined) return [{ field: `${field}.duration`, value: '', problem: 'must be set, as schedule is' }];
  const problems: FieldProblem[] = [];
  if (!isCronSchedule(schedule))
    problems.push({
      field: `${field}.schedule`,
      value: schedule,
      problem: 'must be five fields of cron (weekdays 0 to 6), or @daily and its like',
    });
  if (durationMs(duration) === undefined)
    problems.push({ field: `${field}.duration`, value: duration, problem: 'must be hours and minutes such as 8h or 1h30m' });
  return problems;
};

/** What is wrong with one disruption budget. */
export const budgetProblems = (field: string, budget: Budget): readonly FieldProblem[] => {
  const { nodes, reasons = [] } = budget;
  const unknown = reasons.filter((reason) => !REASONS.includes(reason));
  const malformed = nodesOfBudget(nodes, 0) === undefined;
  return [
    ...(malformed
      ? [{ field: `${field}.nodes`, value: nodes, problem: 'must be a number such as 5 or a percentage from 0% to 100%' }]
      : []),
    ...unknown.map((reason) => ({ field: `${field}.reasons`, value: reason, problem: `must be one of ${REASONS.join(', ')}` })),
    ...windowProblems(field, budget),
  ];
};

/**
 * What is wrong with the disruption budgets of a pool. Such a pool still launches nodes: a malformed budget blocks
 * disruption only, as in the original's `NodePool.GetAllowedDisruptionsByReason`.
 */
export const budgetProblemsOf = (nodePool: NodePool): readonly FieldProblem[] =>
  disruptionOf(nodePool).budgets.flatMap((budget, i) => budgetProblems(`spec.disruption.budgets[${i}]`, budget));
