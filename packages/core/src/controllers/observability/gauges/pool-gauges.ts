import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import { getOrMake } from '../../../base/index.ts';
import { NO_MACHINES } from '../../nodepool/counter.ts';
import { labels } from '../../../apis/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import { minimumOf } from '../../../cluster/index.ts';
import type { ClusterLimits, NodeView } from '../../../cluster/index.ts';
import { parseQuantity, resourcesOf } from '../../../kube/index.ts';
import type { ResourceList, Resources } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import { resourceReadings } from './object-gauges.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import { nodePrice } from '../../../disruption/index.ts';
import { CloudProviderError, isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';

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
    () => readings(({ metadata: { name } }) => ({ ...NO_MACHINES, ...usageOf(name) })),
  );
};

/** What a pool's machines are known by, and what they are sold for. */
interface PricedPool {
  readonly pool: NodePool;
  readonly instanceTypes: readonly InstanceType[];
}

/**
 * Pool name → the sum of the prices an hour of its machines; one that is not sold any longer, or has no price, counts
 * nothing.
 */
const poolCosts = (priced: readonly PricedPool[], views: readonly NodeView[]): ReadonlyMap<string, number> => {
  const types = new Map(priced.map(({ pool, instanceTypes }) => [pool.metadata.name, instanceTypes]));
  const costs = new Map(priced.map(({ pool }) => [pool.metadata.name, 0]));
  const known = new Map<string, number>();
  for (const view of views) {
    const ofPool = types.get(view.nodePoolName ?? '');
    if (view.nodePoolName === undefined || ofPool === undefined) continue;
    const { [labels.instanceType]: size, [labels.zone]: zone, [labels.capacityType]: capacityType } = view.labels;
    const key = [view.nodePoolName, size, zone, capacityType].join('/');
    const price = getOrMake(known, key, () => nodePrice(view, ofPool) ?? 0);
    costs.set(view.nodePoolName, (costs.get(view.nodePoolName) ?? 0) + price);
  }
  return costs;
};

const PERIOD_MS = 30_000;

/**
 * Keeps in view what the machines of each pool cost an hour. A pool that the provider says nothing of now is left out
 * meanwhile.
 */
export const costMetrics = (
  { state, clock, caches, provider }: Pick<Shell, 'state' | 'clock' | 'caches' | 'provider'>,
  metrics: Metrics,
): SingletonController => {
  let costs: ReadonlyMap<string, number> = new Map();
  metrics.gauge(
    {
      name: 'karpenter_nodepools_cost_total',
      help: 'The total cost of the nodepool an hour, in the currency of the prices.',
      labelNames: ['nodepool'],
    },
    () => Array.from(costs, ([nodepool, value]) => ({ labels: { nodepool }, value })),
  );
  const priced = async (pool: NodePool, signal: AbortSignal): Promise<readonly PricedPool[]> => {
    try {
      return [{ pool, instanceTypes: await provider.getInstanceTypes(pool, { signal }) }];
    } catch (error) {
      if (!(error instanceof CloudProviderError)) throw error;
      return [];
    }
  };
  return {
    name: 'metrics.cost',
    async reconcile({ signal }) {
      const pools = caches.nodePools.list().filter(({ spec }) => isManaged(spec.template.spec.nodeClassRef, provider));
      const answered = await Promise.all(pools.map((pool) => priced(pool, signal)));
      costs = poolCosts(answered.flat(), state.views(clock.now()));
      return requeueAfter(PERIOD_MS);
    },
  };
};
