import { labels } from '../../../apis/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import type { NodeView } from '../../../cluster/index.ts';
import { nodePrice } from '../../../disruption/index.ts';

/** What a pool's machines are known by, and what they are sold for. */
export interface PricedPool {
  readonly pool: NodePool;
  readonly instanceTypes: readonly InstanceType[];
}

/**
 * Pool name → the sum of the prices an hour of its machines; one that is not sold any longer, or has no price, counts
 * nothing.
 */
export const poolCosts = (priced: readonly PricedPool[], views: readonly NodeView[]): ReadonlyMap<string, number> => {
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
