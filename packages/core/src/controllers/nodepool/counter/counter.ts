import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../../actions/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import { lastingNodesOf } from '../../../cluster/index.ts';
import type { Shell } from '../../shell.ts';
import { minimumMet, poolResources } from './pool-status.ts';

const PERIOD_MS = 5000;
const UNSYNCED_MS = 1000;

/** Keeps `status.resources` and `status.nodes`, what the pool's machines have together, and the condition `MinimumMet`. */
export const counter = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.counter',
  kind: 'NodePool',
  async reconcile(pool, { signal }) {
    const { state, clock } = shell;
    if (!isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    if (!state.hasSynced()) return requeueAfter(UNSYNCED_MS);
    const nowMs = clock.now();
    const usage = state.usageOf(pool.metadata.name);
    const fields = { resources: poolResources(usage), nodes: usage['nodes'] ?? 0 };
    const { resources, nodes } = pool.status ?? {};
    const isCountNew = JSON.stringify(fields) !== JSON.stringify({ resources, nodes });
    const conditions = minimumMet(pool, pool.spec.minimum === undefined ? [] : lastingNodesOf(pool, state.views(nowMs), nowMs));
    if (conditions.length > 0 || isCountNew) {
      await writePoolStatus(shell, { pool, conditions, ...(isCountNew && { fields }) }, { signal, nowMs });
    }
    return requeueAfter(PERIOD_MS);
  },
});
