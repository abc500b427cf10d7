import type { ReconcileContext } from '@karpenter/runtime';
import { nodePoolNameOf } from '../../apis/index.ts';
import type { Steps } from '../../base/index.ts';
import { lastingNodesOf, launchingPools, minimumOf, shortageOf, totalSizeOf } from '../../cluster/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { planningMinimum } from '../../scheduling/index.ts';
import type { PlannedNode, SchedulingPolicy } from '../../scheduling/index.ts';
import { decideInSlices } from '../shell.ts';
import type { Shell } from '../shell.ts';
import { createOrRefuse } from './claim-refusals.ts';
import type { ClaimRefusals } from './claim-refusals.ts';

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
