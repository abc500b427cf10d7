import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller, Outcome } from '@karpenter/runtime';
import { writePoolStatus } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import { poolHealthChanges, poolsOfNodeClasses } from '../watches.ts';
import type { Shell } from '../shell.ts';

const { launchBackoff, nodeRegistrationHealthy: type } = nodePoolConditions;

/** Whether what the pool says of its machines was learned by another template, or another NodeClass. */
const isOutdated = ({ metadata, status }: NodePool, nodeClassGeneration: number | undefined): boolean => {
  const said = conditionOf(status?.conditions, type);
  return (
    said === undefined || said.observedGeneration !== metadata.generation || status?.nodeClassObservedGeneration !== nodeClassGeneration
  );
};

/** Takes back what the pool says of launches that fail, once that is over or was learned by another process. */
const sayWhatHolds = async (shell: Shell, pool: NodePool, signal: AbortSignal): Promise<Outcome> => {
  const nowMs = shell.clock.now();
  await writePoolStatus(shell, { pool, conditions: poolHealthChanges(pool, shell) }, { signal, nowMs });
  const { endsMs = Number.POSITIVE_INFINITY } = shell.state.launches.failingOf(pool.metadata.name) ?? {};
  return endsMs === Number.POSITIVE_INFINITY ? settled : requeueAfter(endsMs - nowMs);
};

/**
 * Keeps `NodeRegistrationHealthy` and `LaunchBackoff` true. The history of a pool is dropped when the pool or its
 * NodeClass changes. A process that has just started reads it back from the conditions. Source: the original's
 * `pkg/controllers/nodepool/registrationhealth`.
 */
export const registrationHealth = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.registrationhealth',
  kind: 'NodePool',
  watches: poolsOfNodeClasses(shell),
  async reconcile(pool, { signal }) {
    const ref = pool.spec.template.spec.nodeClassRef;
    const nodeClass = shell.caches.nodeClasses.get(ref.kind)?.get({ name: ref.name });
    if (!isManaged(ref, shell.provider) || nodeClass === undefined) return settled;
    const { name, uid = name } = pool.metadata;
    const { generation } = nodeClass.metadata;
    if (!isOutdated(pool, generation)) {
      const status = conditionOf(pool.status?.conditions, type)?.status;
      if (status !== 'Unknown') shell.state.registrations.recall(uid, status === 'True');
      return sayWhatHolds(shell, pool, signal);
    }
    shell.state.registrations.forget(uid);
    shell.state.launches.forget(name);
    const conditions = [
      { type, status: 'Unknown', reason: 'AwaitingReconciliation', message: 'object is awaiting reconciliation' },
      { type: launchBackoff, cleared: true },
    ] as const;
    const fields = generation === undefined ? {} : { nodeClassObservedGeneration: generation };
    await writePoolStatus(shell, { pool, conditions, fields }, { signal, nowMs: shell.clock.now() });
    return settled;
  },
});
