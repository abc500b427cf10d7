import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../../actions/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { poolResources } from './pool-resources.ts';

const PERIOD_MS = 5000;
const UNSYNCED_MS = 1000;

/** Keeps `status.resources` and `status.nodes`: what the pool's machines have together. */
export const counter = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.counter',
  kind: 'NodePool',
  async reconcile(pool, { signal }) {
    if (!isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    if (!shell.state.hasSynced()) return requeueAfter(UNSYNCED_MS);
    const usage = shell.state.usageOf(pool.metadata.name);
    const fields = { resources: poolResources(usage), nodes: usage['nodes'] ?? 0 };
    const { resources, nodes } = pool.status ?? {};
    if (JSON.stringify(fields) !== JSON.stringify({ resources, nodes })) {
      await writePoolStatus(shell, { pool, conditions: [], fields }, { signal, nowMs: shell.clock.now() });
    }
    return requeueAfter(PERIOD_MS);
  },
});
