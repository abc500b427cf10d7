import { allocatableGroups, allocatableOf } from '../../catalog/index.ts';
import type { NodePoolView } from '../../cluster/index.ts';
import { podRequests, sumResources } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';

const RESOURCES = ['cpu', 'memory'] as const;

/**
 * A lower bound on what pods cost on new machines of these pools: what they request of a resource, at the lowest price
 * per unit of any available offering. No packing is cheaper, since no machine carries more than it has; 0 where nothing
 * is known.
 */
export const leastPriceAmong = (pools: readonly NodePoolView[]): ((pods: readonly Pod[]) => number) => {
  let prices: readonly number[] | undefined;
  const types = [...new Set(pools.flatMap(({ instanceTypes }) => instanceTypes))];
  const unitPrices = (): readonly number[] =>
    RESOURCES.map((resource) => {
      let least = Number.POSITIVE_INFINITY;
      for (const type of types.flatMap(allocatableGroups)) {
        const amount = allocatableOf(type)[resource] ?? 0;
        for (const { isAvailable, pricePerHour } of type.offerings) {
          if (isAvailable && amount > 0) least = Math.min(least, pricePerHour / amount);
        }
      }
      return Number.isFinite(least) ? least : 0;
    });
  return (pods) => {
    prices ??= unitPrices();
    const requests = sumResources(pods.map(podRequests));
    return Math.max(0, ...RESOURCES.map((resource, index) => (requests[resource] ?? 0) * (prices?.[index] ?? 0)));
  };
};
