import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultSchedulingPolicy, simulate } from '../../scheduling/index.ts';
import { leastPriceAmong } from './cheaper-replacement.ts';
import { aCluster, aRunningPod, aPool, aType } from '../testing/a-cluster.ts';

const cpus = fc.constantFrom(0.1, 0.5, 1, 3, 7);
const types = fc.uniqueArray(fc.tuple(fc.constantFrom(1, 2, 4, 8, 16), fc.double({ min: 0.01, max: 3, noNaN: true })), {
  selector: ([size]) => size,
  minLength: 1,
});

test('no plan costs less than the least price, however the pods are packed', () => {
  fc.assert(
    fc.property(types, fc.array(cpus, { minLength: 1, maxLength: 12 }), fc.boolean(), (sizes, podCpus, isSpot) => {
      const pools = [
        aPool({
          capacityTypes: isSpot ? ['spot', 'on-demand'] : ['on-demand'],
          instanceTypes: sizes.map(([size, price]) => aType(size, price)),
        }),
      ];
      const pods = podCpus.map((each, i) => aRunningPod(`p${i}`, each));
      for (const packing of ['first-fit', 'cheapest'] as const) {
        const policy = { ...defaultSchedulingPolicy, packing };
        const plan = simulate(aCluster([], { nodePools: pools, pendingPods: pods }), policy, () => false);
        const placed = plan.plannedNodes.flatMap((node) => node.pods);
        expect(leastPriceAmong(pools)(placed)).toBeLessThanOrEqual(plan.pricePerHour + 1e-9);
      }
    }),
  );
});
