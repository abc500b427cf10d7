import type { ClusterSnapshot, SchedulingPolicy } from '@karpenter/core';
import { driftOf, finish, type NodeView, planning, type Steps } from '@karpenter/core/internal';
import { type PlanSummary, planSummary, type Unplaced } from './plan-summary.ts';
import { clusterPrice, repacking, type SavingsAnswer } from './savings-answer.ts';
import { priceOfNode } from './node-rows.ts';
import { withoutNodes } from './without-nodes.ts';

/** A node that no longer is what its pool asks for. */
export interface DriftedNode {
  readonly node: string;
  readonly reason: string;
}

export interface DiffAnswer {
  readonly drifted: readonly DriftedNode[];
  /** What comes in the place of the drifted nodes, and for pods that wait. */
  readonly plan: PlanSummary;
  /** Pods that have, or would get, a place now and would have none. */
  readonly lostPods: readonly Unplaced[];
  /** Pods that have no place now and would get one. */
  readonly gainedPods: readonly string[];
  readonly pricePerHour: { readonly before: number; readonly after: number };
  /** All nodes of Karpenter's planned again. */
  readonly repacked: { readonly before: SavingsAnswer['repacked']; readonly after: SavingsAnswer['repacked'] };
}

/** The cluster now and with the manifests applied. */
export interface DiffQuestion {
  readonly before: ClusterSnapshot;
  readonly after: ClusterSnapshot;
  readonly policy: SchedulingPolicy;
  readonly nowMs: number;
  /** Why a node drifts by a changed class. */
  readonly classDriftOf?: (node: NodeView) => string | undefined;
}

const poolDriftOf = (node: NodeView, { nodePools }: ClusterSnapshot, { policy, nowMs }: DiffQuestion): string | undefined => {
  const view = nodePools.find(({ nodePool }) => nodePool.metadata.name === node.nodePoolName);
  if (view === undefined || node.claim === undefined) return undefined;
  const { nodePool: pool, instanceTypes } = view;
  return driftOf(node.claim, { pool, instanceTypes, labelCatalog: policy.labelCatalog, nowMs });
};

/** Nodes that drift because of the change: those that have drifted anyway are not among them. */
const driftedNodes = (question: DiffQuestion): readonly DriftedNode[] =>
  question.after.nodes
    .flatMap((node) => {
      if (poolDriftOf(node, question.before, question) !== undefined) return [];
      const reason = poolDriftOf(node, question.after, question) ?? question.classDriftOf?.(node);
      return reason === undefined ? [] : [{ node: node.name, reason }];
    })
    .sort((a, b) => (a.node < b.node ? -1 : 1));

/**
 * What a changed NodePool or class would do, in steps, so that a live controller does other things in between. The pods
 * of drifted nodes are planned as if all these nodes went together.
 */
export function* answeringDiff(question: DiffQuestion): Steps<DiffAnswer> {
  const { before, after, policy, nowMs } = question;
  const planOf = (snapshot: ClusterSnapshot) => planning(snapshot, { ...policy, nowMs }, () => false);
  const drifted = driftedNodes(question);
  const now = planSummary(yield* planOf(before), before, policy);
  const without = new Set(drifted.map(({ node }) => node));
  const rest = withoutNodes(after, without);
  const plan = planSummary(yield* planOf({ ...rest, pendingPods: [...after.pendingPods, ...rest.pendingPods] }), after, policy);
  const [unplacedNow, unplacedThen] = [now, plan].map(({ unplaced }) => new Set(unplaced.map(({ pod }) => pod)));
  const leaving = before.nodes.filter(({ name }) => without.has(name)).reduce((sum, node) => sum + (priceOfNode(before, node) ?? 0), 0);
  const price = clusterPrice(before);
  return {
    drifted,
    plan,
    lostPods: plan.unplaced.filter(({ pod }) => unplacedNow?.has(pod) !== true),
    gainedPods: now.unplaced.map(({ pod }) => pod).filter((pod) => unplacedThen?.has(pod) !== true),
    pricePerHour: { before: price + now.pricePerHour, after: price - leaving + plan.pricePerHour },
    repacked: { before: yield* repacking(before, { policy, nowMs }), after: yield* repacking(after, { policy, nowMs }) },
  };
}

/** The answer of `answeringDiff`, without a pause. */
export const diffAnswer = (question: DiffQuestion): DiffAnswer => finish(answeringDiff(question));
