import type { Steps } from '../base/index.ts';
import type { Pod } from '../kube/index.ts';
import type { Demand } from './classes/demand.ts';
import type { PodClass } from './classes/pod-class.ts';
import type { Draft } from './places/draft.ts';
import type { ExistingNodes } from './places/existing-nodes.ts';
import type { Plan, PlannedNode } from './plan.ts';
import { rejector } from './reject.ts';
import type { PoolRejection, Rejection } from './rejection.ts';
import type { Solution } from './solve.ts';

/** What one question came to, still in classes and counts. */
export interface Answer {
  readonly demands: readonly Demand[];
  /** The planned nodes that were chosen in the end. */
  readonly drafts: readonly Draft[];
  readonly solution: Solution;
  /** Pools that nothing was asked of. */
  readonly closed: readonly PoolRejection[];
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

/** Pods that are handed out, or named as left over, without a pause: about a millisecond. */
const PODS_A_STEP = 1024;

function* placingPods(existing: ExistingNodes, deal: ReturnType<typeof podDealer>): Steps<Plan['placements']> {
  const placements = new Map<string, Pod[]>();
  for (const [index, { node, podClass, count }] of existing.log.entries()) {
    const name = existing.nodes[node]?.name ?? '';
    const before = placements.get(name);
    if (before === undefined) placements.set(name, [...deal(podClass, count)]);
    else before.push(...deal(podClass, count));
    if (index % PODS_A_STEP === 0) yield;
  }
  return placements;
}

function* rejecting({ solution: { leftovers, budgets }, closed }: Pick<Answer, 'solution' | 'closed'>): Steps<readonly Rejection[]> {
  const reject = rejector(budgets, closed);
  const rejections: Rejection[] = [];
  for (const leftover of leftovers) {
    for (const rejection of reject(leftover)) rejections.push(rejection);
    yield;
  }
  return rejections;
}

/** Turns classes and counts into pods: the oldest pods of a class go on existing nodes, the next on planned ones, the youngest are left over. */
export function* assembling(
  { demands, drafts, solution, closed }: Answer,
  existing: ExistingNodes,
  planNode: (draft: Draft, pods: readonly Pod[]) => PlannedNode,
): Steps<Plan> {
  const deal = podDealer(demands);
  const placements = yield* placingPods(existing, deal);
  const plannedNodes: PlannedNode[] = [];
  for (const draft of drafts) {
    const pods = draft.runs.flatMap(({ podClass, count }) => deal(podClass, count));
    plannedNodes.push(planNode(draft, pods));
    yield;
  }
  return {
    plannedNodes,
    placements,
    rejections: yield* rejecting({ solution, closed }),
    pricePerHour: plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0),
  };
}
