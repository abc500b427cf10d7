import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import type { ConditionChange } from '../../actions/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { NodeClassObject } from '../../ports/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import { writePoolStatus } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import { poolsOfNodeClasses } from '../watches.ts';
import type { Shell } from '../shell.ts';

const type = nodePoolConditions.nodeClassReady;

/** What a pool says about its NodeClass; undefined: there is none of that name. */
export const nodeClassReadiness = (nodeClass: NodeClassObject | undefined): ConditionChange => {
  if (nodeClass === undefined) return { type, status: 'False', reason: 'NodeClassNotFound', message: 'NodeClass not found on cluster' };
  if (nodeClass.metadata.deletionTimestamp !== undefined) {
    return { type, status: 'False', reason: 'NodeClassTerminating', message: 'NodeClass is Terminating' };
  }
  const ready = conditionOf(nodeClass.status?.conditions, 'Ready');
  if (ready === undefined || ready.status === 'Unknown') {
    return { type, status: 'False', reason: 'NodeClassReadinessUnknown', message: 'Node Class Readiness Unknown' };
  }
  if (ready.status === 'True') return { type, status: 'True' };
  return { type, status: 'False', reason: ready.reason ?? 'NodeClassNotReady', message: ready.message ?? '' };
};

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
