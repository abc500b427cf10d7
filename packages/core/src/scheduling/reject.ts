import type { PodClass } from './classes/pod-class.ts';
import { labelHints } from './label-hints.ts';
import type { NodeTemplate } from './places/node-template.ts';
import type { PoolBudget } from './places/pool-budget.ts';
import { poolRejection } from './pool-rejection.ts';
import type { Rejection, RejectionReason } from './rejection.ts';
import { resourceHints } from './resource-hints.ts';
import type { Leftover } from './solve.ts';

type Budgets = ReadonlyMap<NodeTemplate, PoolBudget>;

const reasonFor = (podClass: PodClass, budgets: Budgets): RejectionReason => {
  const { problem } = podClass;
  if (problem !== undefined) return { kind: 'invalid-pod', ...problem };
  if (budgets.size === 0) return { kind: 'no-node-pools' };
  const pools = [...budgets].flatMap(([template, budget]) =>
    template.reservation === undefined ? [{ nodePoolName: template.name, reason: poolRejection(podClass, template, budget) }] : [],
  );
  const templates = [...budgets.keys()];
  const alternatives = podClass.shape.ladder.at(-1)?.map(({ requirements }) => requirements) ?? [];
  return { kind: 'no-place', pools, hints: [...resourceHints(podClass, templates), ...labelHints(alternatives, templates)] };
};

/** Why pods were left over. The reason is worked out once per class, and its pods share it. */
export const rejector =
  (budgets: Budgets): ((leftover: Leftover) => readonly Rejection[]) =>
  ({ demand: { podClass, pods }, count, wasStopped }) => {
    const isStopped = wasStopped && podClass.problem === undefined;
    const reason: RejectionReason = isStopped ? { kind: 'stopped' } : reasonFor(podClass, budgets);
    return pods.slice(pods.length - count).map((pod) => ({ pod, reason }));
  };
