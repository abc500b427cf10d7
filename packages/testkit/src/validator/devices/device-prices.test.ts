import type { InstanceType } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aSnapshot } from '../../builders/index.ts';
import { claimOf, devicesOf, gpus, request, typeWith, usingClaims } from './testing/gpu-cluster.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

/** GPUs of a size, and its price an hour. */
type Size = readonly [count: number, pricePerHour: number];

const typeOf = ([count, pricePerHour]: Size): InstanceType => {
  const type = typeWith(`${count}-gpus`, gpus(count), { cpus: 16 });
  return { ...type, offerings: type.offerings.slice(0, 1).map((offering) => ({ ...offering, pricePerHour })) };
};

/** What the nodes cost that are planned for pods with a claim for so many GPUs each. */
const priceOf = (sizes: readonly Size[], pods: readonly number[]): number => {
  const claims = pods.map((count, index) => claimOf(`claim-${index}`, [request('r', { count })]));
  const pending = claims.map((claim) => usingClaims(claim));
  const snapshot = aSnapshot({ instanceTypes: sizes.map(typeOf), pending, devices: devicesOf(claims) });
  const plan = validatedPlan(snapshot);
  expect(plan.rejections).toEqual([]);
  return plan.plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0);
};

/** The least that any nodes cost which hold the pods, by trying all. */
const leastPriceOf = (sizes: readonly Size[], pods: number, gpusEach: number): number => {
  const least = [0];
  for (let count = 1; count <= pods; count++) {
    const withNode = sizes.map(([gpuCount, price]) => {
      const held = Math.floor(gpuCount / gpusEach);
      return held === 0 ? Number.POSITIVE_INFINITY : price + (least[Math.max(0, count - held)] ?? 0);
    });
    least.push(Math.min(...withNode));
  }
  return least[pods] ?? 0;
};

const azure: Readonly<Record<string, readonly Size[]>> = {
  T4: [
    [1, 0.526],
    [4, 4.352],
  ],
  V100: [
    [1, 3.06],
    [2, 6.12],
    [4, 12.24],
    [8, 22.032],
  ],
  A100: [
    [1, 3.673],
    [2, 7.346],
    [4, 14.692],
    [8, 27.197],
  ],
};

test.each(Object.entries(azure))(
  'when pods claim one or two GPUs each of %s sizes › their nodes cost the least that is possible',
  (_, sizes) => {
    for (const [pods, each] of [
      ...[1, 3, 5, 9, 13, 16].map((count) => [count, 1] as const),
      ...[1, 3, 5].map((count) => [count, 2] as const),
    ])
      expect([
        pods,
        each,
        priceOf(
          sizes,
          Array.from({ length: pods }, () => each),
        ),
      ]).toEqual([...[pods, each], expect.closeTo(leastPriceOf(sizes, pods, each), 6)]);
  },
);

test('when five pods claim a GPU each and four cost more together than alone › each gets a node of its own', () => {
  const sizes: readonly Size[] = [
    [1, 4],
    [4, 18],
  ];
  expect(priceOf(sizes, [1, 1, 1, 1, 1])).toBeCloseTo(20, 6);
});

test('pods that claim one GPU each cost the least that is possible on sizes of any price', () => {
  const price = fc.integer({ min: 1, max: 40 }).map((cents) => cents / 4);
  const counts = fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 8), { minLength: 1, maxLength: 4 });
  const sizes = counts.chain((all) => fc.tuple(...all.map((count) => price.map((each) => [count, each] as const))));
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 20 }), (offered, pods) => {
      // Each node counts for half a cent more, which may decide between sizes of nearly equal prices.
      const most = leastPriceOf(offered, pods, 1) + 0.005 * pods;
      expect(
        priceOf(
          offered,
          Array.from({ length: pods }, () => 1),
        ),
      ).toBeLessThanOrEqual(most + 1e-9);
    }),
    { numRuns: 15 },
  );
});
