import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import type { ConditionChange } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { lastingNodesOf, minimumOf, shortageOf, totalSizeOf } from '../../cluster/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { conditionOf, quantitiesOf, resourcesOf } from '../../kube/index.ts';
import type { ResourceList, Resources } from '../../kube/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import { writePoolStatus } from '../../actions/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

const type = nodePoolConditions.minimumMet;

const amountText = (resource: string, amount: number): string => quantitiesOf({ [resource]: amount })[resource] ?? '0';

/**
 * What a pool with `spec.minimum` says about its nodes that are up. No change of a pool that has no minimum and no such
 * condition.
 */
const minimumMet = (pool: NodePool, nodes: readonly NodeView[]): readonly ConditionChange[] => {
  const minimum = minimumOf(pool);
  if (Object.keys(minimum).length === 0) return conditionOf(pool.status?.conditions, type) === undefined ? [] : [{ type, cleared: true }];
  const present = totalSizeOf(
    nodes.filter(({ isInitialized }) => isInitialized),
    { instanceTypes: [] },
  );
  const missing = Object.keys(shortageOf(minimum, present)).sort();
  if (missing.length === 0) return [{ type, status: 'True' }];
  const limits = resourcesOf(pool.spec.limits);
  const message = missing.map((resource) => {
    const [has, wants, limit] = [present[resource] ?? 0, minimum[resource] ?? 0, limits[resource] ?? Number.POSITIVE_INFINITY];
    const limited = limit < wants ? `, limited to ${amountText(resource, limit)}` : '';
    return `${resource}: ${amountText(resource, has)} of ${amountText(resource, wants)}${limited}`;
  });
  return [{ type, status: 'False', reason: 'BelowMinimum', message: message.join('; ') }];
};

/** Shown also of a pool without machines. */
export const NO_MACHINES: Resources = { cpu: 0, memory: 0, pods: 0, 'ephemeral-storage': 0, nodes: 0 };

/** A pool's usage as its status shows it: the basic resources always, also when there is none. */
export const poolResources = (usage: Resources): ResourceList => quantitiesOf({ ...NO_MACHINES, ...usage });

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
