import type { Pod } from '../kube/index.ts';
import type { Demand } from './classes/demand.ts';
import type { PodClass } from './classes/pod-class.ts';
import type { Draft } from './places/draft.ts';
import type { ExistingNodes } from './places/existing-nodes.ts';
import type { Plan, PlannedNode } from './plan.ts';
import { rejector } from './reject.ts';
import type { Solution } from './solve.ts';

/** What one question came to, still in classes and counts. */
export interface Answer {
  readonly demands: readonly Demand[];
  /** The planned nodes that were chosen in the end. */
  readonly drafts: readonly Draft[];
  readonly solution: Solution;
}

/** Hands the pods of each class out in order, as places ask for some. */
const podDealer = (demands: readonly Demand[]): ((podClass: PodClass, count: number) => readonly Pod[]) => {
  const podsOf = new Map(demands.map(({ podClass, pods }) => [podClass, pods]));
  const dealt = new Map<PodClass, number>();
  return (podClass, count) => {
    const from = dealt.get(podClass) ?? 0;
    dealt.set(podClass, from + count);
    return podsOf.get(podClass)?.slice(from, from + count) ?? [];
  };
};

/** Turns classes and counts into pods: the oldest pods of a class go on existing nodes, the next on planned ones, the youngest are left over. */
export const assemblePlan = (
  { demands, drafts, solution }: Answer,
  existing: ExistingNodes,
  planNode: (draft: Draft, pods: readonly Pod[]) => PlannedNode,
): Plan => {
  const deal = podDealer(demands);
  const placements = new Map<string, Pod[]>();
  for (const { node, podClass, count } of existing.log) {
    const name = existing.nodes[node]?.name ?? '';
    const before = placements.get(name);
    if (before === undefined) placements.set(name, [...deal(podClass, count)]);
    else before.push(...deal(podClass, count));
  }
  const plannedNodes = drafts.map((draft) =>
    planNode(
      draft,
      draft.runs.flatMap(({ podClass, count }) => deal(podClass, count)),
    ),
  );
  return {
    plannedNodes,
    placements,
    rejections: solution.leftovers.flatMap(rejector(solution.budgets)),
    pricePerHour: plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0),
  };
};
