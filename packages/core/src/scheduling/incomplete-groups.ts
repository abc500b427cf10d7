import { podGroupOf } from '../cluster/index.ts';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import { isActive, isReschedulable } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import type { Plan } from './plan.ts';
import type { Rejection } from './rejection/rejection.ts';

/** In-flight nodes of a pod group that does not get all its places, and the group. */
export interface IncompleteGroup {
  /** `namespace/name`. */
  readonly name: string;
  readonly nodes: readonly NodeView[];
}

type Planned = Pick<Plan, 'plannedNodes' | 'placements' | 'rejections'>;

/** Whether the plan looked for a place and found none; a pod whose turn has not come may still get one. */
const lacksPlace = ({ reason: { kind } }: Rejection): boolean => kind === 'no-place' || kind === 'pod-group' || kind === 'no-node-pools';

/** Group with a pod that lacks a place → how many must have one. */
const lackingGroups = ({ rejections }: Planned, { podGroups }: ClusterSnapshot): ReadonlyMap<string, number> => {
  const lacking = new Map<string, number>();
  for (const rejection of rejections) {
    const group = lacksPlace(rejection) ? podGroupOf(rejection.pod, podGroups) : undefined;
    if (group !== undefined) lacking.set(group.name, Math.max(group.minMember, lacking.get(group.name) ?? group.minMember));
  }
  return lacking;
};

/**
 * The in-flight nodes that are only for members of pod groups that lack places: a launch has failed after the group was
 * planned. Nothing runs on them yet. Without them the group is planned as a whole again. Ordered by group, then as in
 * the snapshot.
 */
export const incompleteGroups = (plan: Planned, snapshot: ClusterSnapshot): readonly IncompleteGroup[] => {
  const lacking = lackingGroups(plan, snapshot);
  if (lacking.size === 0) return [];
  const groupOf = (pod: Pod): string | undefined => podGroupOf(pod, snapshot.podGroups)?.name;
  const staying = snapshot.nodes.filter(({ isMarkedForDeletion }) => !isMarkedForDeletion);
  const placed = [
    ...staying.map(({ pods }) => pods.filter(isActive)),
    ...plan.placements.values(),
    ...plan.plannedNodes.map(({ pods }) => pods),
  ]
    .flat()
    .map(groupOf);
  const countOf = (name: string): number => {
    const { succeeded = 0 } = snapshot.podGroups?.get(name) ?? {};
    return succeeded + placed.filter((each) => each === name).length;
  };
  const incomplete = [...lacking].flatMap(([name, minMember]) => (countOf(name) < minMember ? name : [])).sort();
  const membersOn = ({ pods, name }: NodeView): readonly Pod[] => [...pods.filter(isReschedulable), ...(plan.placements.get(name) ?? [])];
  const isForNoOther = (node: NodeView): boolean =>
    membersOn(node).every((pod) => pod.spec.nodeName === undefined && incomplete.includes(groupOf(pod) ?? ''));
  const idle = staying.filter(
    (node) => node.claim !== undefined && !node.isInitialized && membersOn(node).length > 0 && isForNoOther(node),
  );
  return incomplete
    .map((name) => ({ name, nodes: idle.filter((node) => membersOn(node).some((pod) => groupOf(pod) === name)) }))
    .filter(({ nodes }) => nodes.length > 0);
};
