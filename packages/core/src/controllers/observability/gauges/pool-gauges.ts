import type { NodePool } from '../../../apis/index.ts';
import { minimumOf } from '../../../cluster/index.ts';
import type { ClusterLimits } from '../../../cluster/index.ts';
import { parseQuantity, resourcesOf } from '../../../kube/index.ts';
import type { ResourceList, Resources } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import { resourceReadings } from './series.ts';

/** The pools as they are now, and what the machines of each have together. */
export interface PoolSource {
  readonly pools: () => readonly NodePool[];
  readonly usageOf: (nodePoolName: string) => Resources;
  /** Undefined where the cluster has no limits. */
  readonly clusterLimits: () => ClusterLimits | undefined;
}

const labelNames = ['resource_type', 'nodepool'];

/** A scrape must not fail for an amount that nobody can read. */
const readable = (list: ResourceList | undefined): Resources =>
  resourcesOf(Object.fromEntries(Object.entries(list ?? {}).filter(([, amount]) => parseQuantity(String(amount)) !== undefined)));

/** Shown also of a pool without machines. */
const NONE: Resources = { cpu: 0, memory: 0, pods: 0, 'ephemeral-storage': 0, nodes: 0 };

/** The same for all NodePools together, where the cluster has limits. */
const clusterGauges = (metrics: Metrics, { clusterLimits }: PoolSource): void => {
  const readings = (of: (limits: ClusterLimits) => Resources): readonly Reading[] => {
    const limits = clusterLimits();
    return limits === undefined ? [] : resourceReadings(of(limits), {});
  };
  metrics.gauge(
    {
      name: 'karpenter_cluster_limit',
      help: 'Limits of the cluster: what the nodes of all NodePools may have together.',
      labelNames: ['resource_type'],
    },
    () => readings(({ limits }) => limits),
  );
  metrics.gauge(
    {
      name: 'karpenter_cluster_usage',
      help: 'What the nodes of all NodePools have together, of each resource with a limit.',
      labelNames: ['resource_type'],
    },
    () => readings(({ limits, usage }) => Object.fromEntries(Object.keys(limits).map((resource) => [resource, usage[resource] ?? 0]))),
  );
};

/**
 * Shows of each NodePool what it may have and what it has; machines that are marked for deletion count nothing, as for
 * limits.
 */
export const poolGauges = (metrics: Metrics, source: PoolSource): void => {
  const { pools, usageOf } = source;
  clusterGauges(metrics, source);
  const readings = (of: (pool: NodePool) => Resources): readonly Reading[] =>
    pools().flatMap((pool) => resourceReadings(of(pool), { nodepool: pool.metadata.name }));
  metrics.gauge(
    {
      name: 'karpenter_nodepools_limit',
      help: 'Limits specified on the nodepool that restrict the quantity of resources provisioned.',
      labelNames,
    },
    () => readings(({ spec }) => readable(spec.limits)),
  );
  metrics.gauge({ name: 'karpenter_nodepools_minimum', help: 'What the nodes of the nodepool have together at least.', labelNames }, () =>
    readings(minimumOf),
  );
  metrics.gauge(
    { name: 'karpenter_nodepools_usage', help: 'The amount of resources that have been provisioned for a nodepool.', labelNames },
    () => readings(({ metadata: { name } }) => ({ ...NONE, ...usageOf(name) })),
  );
};
