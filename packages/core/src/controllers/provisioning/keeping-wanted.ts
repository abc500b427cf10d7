import type { Steps } from '../../base/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Plan, PlannedNode } from '../../scheduling/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { ClusterState } from '../../state/index.ts';

/** Room on a node that stands, or is on its way, for some pods. */
export interface PlannedPromise {
  readonly node: NodeView;
  readonly pods: readonly Pod[];
}

/** What is left to be done of a plan. */
export interface WantedPlan {
  readonly promises: readonly PlannedPromise[];
  readonly plannedNodes: readonly PlannedNode[];
}

/** The cluster as it is by now. */
export interface Current {
  readonly state: Pick<ClusterState, 'views' | 'wantsPlace'>;
  readonly nowMs: number;
}

/**
 * What is still to be done of a plan that took some time to make, for `snapshot`: nothing for pods that were bound, promised a place or
 * deleted meanwhile, nothing on nodes that went or are going, and no node for nobody.
 */
export function* keepingWanted(plan: Plan, snapshot: ClusterSnapshot, { state, nowMs }: Current): Steps<WantedPlan> {
  const before = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const open = new Set(state.views(nowMs).flatMap((node) => (node.isMarkedForDeletion ? [] : machineKeyOf(node))));
  const promises: PlannedPromise[] = [];
  for (const [name, all] of plan.placements) {
    const node = before.get(name);
    const pods = all.filter((pod) => state.wantsPlace(pod));
    if (node !== undefined && open.has(machineKeyOf(node)) && pods.length > 0) promises.push({ node, pods });
    yield;
  }
  const plannedNodes: PlannedNode[] = [];
  for (const planned of plan.plannedNodes) {
    const pods = planned.pods.filter((pod) => state.wantsPlace(pod));
    if (pods.length > 0) plannedNodes.push({ ...planned, pods });
    yield;
  }
  return { promises, plannedNodes };
}
