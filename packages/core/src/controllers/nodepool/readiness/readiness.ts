import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../../actions/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import { poolsOfNodeClasses } from '../../node-class-watches.ts';
import type { Shell } from '../../shell.ts';
import { nodeClassReadiness } from './node-class-readiness.ts';

/** Keeps `NodeClassReady` on pools, and with it `Ready`: no machine is launched by a class that is not. */
export const readiness = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.readiness',
  kind: 'NodePool',
  watches: poolsOfNodeClasses(shell),
  async reconcile(pool, { signal }) {
    const ref = pool.spec.template.spec.nodeClassRef;
    if (!isManaged(ref, shell.provider)) return settled;
    const change = nodeClassReadiness(shell.caches.nodeClasses.get(ref.kind)?.get({ name: ref.name }));
    await writePoolStatus(shell, { pool, conditions: [change] }, { signal, nowMs: shell.clock.now() });
    return settled;
  },
});
