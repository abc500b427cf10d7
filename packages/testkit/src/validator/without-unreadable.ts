import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import { namespacedNameOf } from '@karpenter/core/internal';
import { unreadableReason } from './unreadable.ts';
import type { Violation } from './violation.ts';

const nameOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

const isReadable = (pod: Pod): boolean => unreadableReason(pod) === undefined;

/** A snapshot and its plan. */
interface Planned {
  readonly snapshot: ClusterSnapshot;
  readonly plan: Plan;
}

/** The snapshot and its plan less the pods that nobody can judge, and a violation for each of those that was given a place. */
export const withoutUnreadable = (
  snapshot: ClusterSnapshot,
  plan: Plan,
): { readonly readable: Planned; readonly violations: readonly Violation[] } => {
  const running = snapshot.nodes.flatMap(({ pods }) => pods);
  if ([...snapshot.pendingPods, ...running].every(isReadable)) return { readable: { snapshot, plan }, violations: [] };
  const placed = [...plan.plannedNodes.flatMap(({ pods }) => pods), ...[...plan.placements.values()].flat()];
  return {
    readable: {
      snapshot: {
        ...snapshot,
        pendingPods: snapshot.pendingPods.filter(isReadable),
        nodes: snapshot.nodes.map((node) => ({ ...node, pods: node.pods.filter(isReadable) })),
      },
      plan: {
        ...plan,
        plannedNodes: plan.plannedNodes.map((each) => ({ ...each, pods: each.pods.filter(isReadable) })),
        placements: new Map([...plan.placements].map(([name, pods]) => [name, pods.filter(isReadable)])),
        rejections: plan.rejections.filter(({ pod }) => isReadable(pod)),
      },
    },
    violations: placed.flatMap((pod) => {
      const problem = unreadableReason(pod);
      return problem === undefined ? [] : [{ rule: 'readable', subject: nameOf(pod), detail: `${problem}, and it was placed` }];
    }),
  };
};
