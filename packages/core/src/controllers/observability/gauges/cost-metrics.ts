import { labels } from '../../../apis/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import type { NodeView } from '../../../cluster/index.ts';
import { nodePrice } from '../../../disruption/index.ts';
import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import { CloudProviderError, isManaged } from '../../../cloudprovider/index.ts';
import type { Metrics } from '../../../ports/index.ts';
import type { Shell } from '../../shell.ts';

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
    const price = known.get(key) ?? nodePrice(view, ofPool) ?? 0;
    known.set(key, price);
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
