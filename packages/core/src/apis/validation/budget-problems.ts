import { durationMs, isCronSchedule } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { nodesOfBudget } from '../budget.ts';
import type { Budget, NodePool } from '../node-pool.ts';
import { disruptionOf } from '../with-defaults.ts';

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
