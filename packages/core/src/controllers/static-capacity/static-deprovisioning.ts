import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { deleteNodeClaim } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import type { Shell } from '../shell.ts';
import { isManagedStaticPool, poolsOfClaims, staticMachines } from './static-machines.ts';
import { surplusOf } from './surplus-of.ts';

const PERIOD_MS = 60_000;
const UNSYNCED_MS = 1000;

/** Ends machines of static pools that are more than `replicas`. Budgets do not count: a person asked for fewer. */
export const staticDeprovisioning = (shell: Shell): Controller<NodePool> => ({
  name: 'static.deprovisioning',
  kind: 'NodePool',
  watches: [poolsOfClaims],
  async reconcile(pool, { signal }) {
    const { state, clock } = shell;
    if (!isManagedStaticPool(pool, shell)) return settled;
    if (!state.hasSynced()) return requeueAfter(UNSYNCED_MS);
    const nowMs = clock.now();
    const machines = staticMachines(pool.metadata.name, state.views(nowMs));
    for (const { claim } of surplusOf(pool, machines, nowMs)) {
      if (claim !== undefined) await deleteNodeClaim(shell, claim, { reason: 'static_scale_down', signal });
    }
    return requeueAfter(PERIOD_MS);
  },
});
