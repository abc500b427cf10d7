import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { createNodeClaims } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { isConditionTrue } from '../../kube/index.ts';
import { planningStaticNode } from '../../scheduling/index.ts';
import type { SchedulingPolicy } from '../../scheduling/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import { decideInSlices } from '../decisions.ts';
import type { Shell } from '../shell.ts';
import { isManagedStaticPool, lackOf, poolsOfClaims, staticMachines } from './static-machines.ts';
import type { Lack } from './static-machines.ts';

const PERIOD_MS = 60_000;
const AT_LIMIT_MS = 30_000;
const UNSYNCED_MS = 1000;

/** Makes machines for static pools until each has as many as its `replicas`, whether or not pods wait for them. */
export const staticProvisioning = (shell: Shell, policy: SchedulingPolicy): Controller<NodePool> => {
  const { state, clock } = shell;
  const lackNow = (pool: NodePool): Lack => lackOf(pool, staticMachines(pool.metadata.name, state.views(clock.now())));

  const fill = async (pool: NodePool, signal: AbortSignal): Promise<void> => {
    await state.refreshCatalogs(signal);
    const snapshot = state.snapshot(clock.now());
    const view = snapshot.nodePools.find(({ nodePool }) => nodePool.metadata.name === pool.metadata.name);
    const planned = view && (await decideInSlices(shell, planningStaticNode(view, snapshot, policy), signal));
    if (planned === undefined) return;
    const nodes = Array.from({ length: lackNow(pool).allowed }, () => planned);
    await createNodeClaims(shell, { planned: nodes, reason: 'provisioned', attempt: `static-${clock.now()}` }, signal);
  };

  return {
    name: 'static.provisioning',
    kind: 'NodePool',
    watches: [poolsOfClaims],
    async reconcile(pool, { signal }) {
      if (!isManagedStaticPool(pool, shell)) return settled;
      if (!state.hasSynced()) return requeueAfter(UNSYNCED_MS);
      const { name } = pool.metadata;
      const isReady = isConditionTrue(pool.status?.conditions, nodePoolConditions.ready);
      const { wanted, allowed } = lackNow(pool);
      if (allowed > 0 && isReady && !state.launches.isHeld(name)) await fill(pool, signal);
      return requeueAfter(allowed < wanted ? AT_LIMIT_MS : PERIOD_MS);
    },
  };
};
