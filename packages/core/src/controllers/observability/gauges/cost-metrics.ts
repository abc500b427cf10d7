import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { NodePool } from '../../../apis/index.ts';
import { CloudProviderError, isManaged } from '../../../cloudprovider/index.ts';
import type { Metrics } from '../../../ports/index.ts';
import type { Shell } from '../../shell.ts';
import { poolCosts } from './pool-costs.ts';
import type { PricedPool } from './pool-costs.ts';

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
