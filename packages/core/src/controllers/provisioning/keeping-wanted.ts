import type { Steps } from '../../base/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { virtualPodsOf } from '../../scheduling/index.ts';
import type { Plan, PlannedNode } from '../../scheduling/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { ClusterState } from '../../state/index.ts';

/** Pods to nominate for a node that stands or is on its way. */
export interface PlannedNomination {
  readonly node: NodeView;
  readonly pods: readonly Pod[];
}

/** What is still to be done of a plan. */
export interface WantedPlan {
  readonly nominations: readonly PlannedNomination[];
  readonly plannedNodes: readonly PlannedNode[];
}

/** The cluster as it is now. */
export interface Current {
  readonly state: Pick<ClusterState, 'views' | 'wantsPlace'> & { readonly buffers: Pick<ClusterState['buffers'], 'views'> };
  readonly nowMs: number;
}

/**
 * What is still to be done of a plan that took some time to make from `snapshot`: nothing for pods that were bound,
 * nominated or deleted meanwhile, nothing on nodes that are gone or going, and no node without pods, unless a buffer
 * still asks for its room. Virtual pods are left out.
 */
export function* keepingWanted(plan: Plan, snapshot: ClusterSnapshot, { state, nowMs }: Current): Steps<WantedPlan> {
  const before = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const open = new Set(state.views(nowMs).flatMap((node) => (node.isMarkedForDeletion ? [] : machineKeyOf(node))));
  const virtual = virtualPodsOf(state.buffers.views(nowMs));
  const nominations: PlannedNomination[] = [];
  for (const [name, all] of plan.placements) {
    const node = before.get(name);
    const pods = all.filter((pod) => state.wantsPlace(pod));
    if (node !== undefined && open.has(machineKeyOf(node)) && pods.length > 0) nominations.push({ node, pods });
    yield;
  }
  const plannedNodes: PlannedNode[] = [];
  for (const planned of plan.plannedNodes) {
    const pods = planned.pods.filter((pod) => state.wantsPlace(pod));
    if (pods.length > 0 || planned.pods.some((pod) => virtual.has(pod))) plannedNodes.push({ ...planned, pods });
    yield;
  }
  return { nominations, plannedNodes };
}
