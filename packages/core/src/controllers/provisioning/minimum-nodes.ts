import type { ReconcileContext } from '@karpenter/runtime';
import { nodePoolNameOf } from '../../apis/index.ts';
import type { Steps } from '../../base/index.ts';
import { lastingNodesOf, launchingPools, minimumOf, shortageOf, totalSizeOf } from '../../cluster/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { planningMinimum, virtualPodsOf } from '../../scheduling/index.ts';
import type { Plan, PlannedNode, SchedulingPolicy } from '../../scheduling/index.ts';
import { decideInSlices } from '../shell.ts';
import type { Shell } from '../shell.ts';
import type { Pod } from '../../kube/index.ts';
import { createOrRefuse } from './claim-refusals.ts';
import type { ClaimRefusals } from './claim-refusals.ts';
import { machineKeyOf } from '../../state/index.ts';
import type { ClusterState } from '../../state/index.ts';

/** How minimums are planned. */
export interface MinimumsOptions {
  readonly policy: SchedulingPolicy;
  /** Once it answers true, the remaining pools come next time. */
  readonly shouldStop: () => boolean;
}

interface KeepingMinimums extends MinimumsOptions {
  readonly refusals: ClaimRefusals;
}

/**
 * The nodes that pools lack of their `spec.minimum`. A node that a command replaces counts until it is deleted, and one
 * that is being launched counts as the smallest that it may become.
 */
function* planningMinimums(
  snapshot: ClusterSnapshot,
  { policy, shouldStop }: MinimumsOptions,
  nowMs: number,
): Steps<readonly PlannedNode[]> {
  const planned: PlannedNode[] = [];
  for (const pool of launchingPools(snapshot)) {
    if (shouldStop()) break;
    const minimum = minimumOf(pool.nodePool);
    if (Object.keys(minimum).length === 0) continue;
    const present = totalSizeOf(lastingNodesOf(pool.nodePool, snapshot.nodes, nowMs), pool);
    const shortage = shortageOf(minimum, present);
    if (Object.keys(shortage).length > 0) {
      planned.push(...(yield* planningMinimum({ pool, shortage, leaving: [], beside: planned }, snapshot, policy)));
    }
    yield;
  }
  return planned;
}

export const hasMinimums = ({ caches }: Pick<Shell, 'caches'>): boolean =>
  caches.nodePools.list().some(({ spec }) => spec.minimum !== undefined);

/** Launches what pools lack of their minimum, after the nodes that pods need: those count. */
export const launchMinimums = async (shell: Shell, options: KeepingMinimums, context: ReconcileContext): Promise<void> => {
  const { state, clock, isolation } = shell;
  const nowMs = clock.now();
  const { signal } = context;
  const deciding = (snapshot: ClusterSnapshot): Promise<readonly PlannedNode[]> =>
    decideInSlices(shell, planningMinimums(snapshot, options, nowMs), signal);
  const planned = await isolation.decide(state.snapshot(nowMs), deciding, context);
  const creation = { planned, reason: 'provisioned', attempt: `minimum-${nowMs}` } as const;
  await createOrRefuse(shell, { creation, blame: (refused) => options.refusals.add(refused) }, signal);
};

/** Calls `listener` when a pool with a minimum loses a node. */
export const onMinimumLoss = ({ caches }: Shell, listener: () => void): void => {
  caches.nodeClaims.subscribe(({ type, object }) => {
    const isLoss = type === 'deleted' || object.metadata.deletionTimestamp !== undefined;
    const pool = isLoss ? caches.nodePools.get({ name: nodePoolNameOf(object) }) : undefined;
    if (pool?.spec.minimum !== undefined) listener();
  });
};

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

/** The present cluster. */
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
