import type { BufferView } from '../cluster/index.ts';
import type { Pod } from '../kube/index.ts';
import type { Plan, PlannedNode } from './plan.ts';
import type { Rejection } from './rejection/rejection.ts';

/** Where a plan puts the chunks of a buffer. */
export interface BufferOutcome {
  readonly view: BufferView;
  /** Node name → virtual pods that fit there. */
  readonly onNodes: ReadonlyMap<string, readonly Pod[]>;
  /** How many need a new node. */
  readonly onNewNodes: number;
  readonly rejections: readonly Rejection[];
}

/** A plan taken apart: what is to be done for pods that exist, and what became of each buffer. */
export interface SplitPlan {
  /** Without virtual pods; a planned node that is for them alone has no pods. */
  readonly plan: Plan;
  /** In the order of the buffers. */
  readonly buffers: readonly BufferOutcome[];
}

/** The planned node without virtual pods: itself where it has none. */
export const withoutVirtualPods = (node: PlannedNode, virtual: ReadonlySet<Pod>): PlannedNode =>
  node.pods.some((pod) => virtual.has(pod)) ? { ...node, pods: node.pods.filter((pod) => !virtual.has(pod)) } : node;

/** The virtual pods of all buffers. */
export const virtualPodsOf = (buffers: readonly BufferView[]): ReadonlySet<Pod> => new Set(buffers.flatMap((each) => each.virtualPods));

const outcomeOf = (view: BufferView, { placements, plannedNodes, rejections }: Plan): BufferOutcome => {
  const own = new Set(view.virtualPods);
  const onNodes = new Map<string, readonly Pod[]>();
  for (const [name, pods] of placements) {
    const there = pods.filter((pod) => own.has(pod));
    if (there.length > 0) onNodes.set(name, there);
  }
  return {
    view,
    onNodes,
    onNewNodes: plannedNodes.reduce((sum, { pods }) => sum + pods.filter((pod) => own.has(pod)).length, 0),
    rejections: rejections.filter(({ pod }) => own.has(pod)),
  };
};

/** Takes the virtual pods out of a plan. Costs a look at each pod for each buffer. */
export const splitPlan = (plan: Plan, buffers: readonly BufferView[]): SplitPlan => {
  if (buffers.length === 0) return { plan, buffers: [] };
  const virtual = virtualPodsOf(buffers);
  const isReal = (pod: Pod): boolean => !virtual.has(pod);
  const placements = new Map<string, readonly Pod[]>();
  for (const [name, pods] of plan.placements) {
    const real = pods.filter(isReal);
    if (real.length > 0) placements.set(name, real);
  }
  const { postponed, relaxed, ...rest } = plan;
  const real = {
    ...rest,
    placements,
    plannedNodes: plan.plannedNodes.map((node) => withoutVirtualPods(node, virtual)),
    rejections: plan.rejections.filter(({ pod }) => isReal(pod)),
    ...(postponed?.some(isReal) === true && { postponed: postponed.filter(isReal) }),
    ...(relaxed?.some(({ pod }) => isReal(pod)) === true && { relaxed: relaxed.filter(({ pod }) => isReal(pod)) }),
  };
  return { plan: real, buffers: buffers.map((view) => outcomeOf(view, plan)) };
};
