import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import { planning } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aSnapshotOf } from '../arbitraries/index.ts';
import { aNodePool, anInstanceType, aPod, aSnapshot, named, pods, requesting, requiringAnyOf } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const nowhere = requiringAnyOf({ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['nowhere'] }] });
const HUGE = 10_000_000;

/** Pods that no machine and no node could take: for their size, or their zone. */
const hopelessPods: fc.Arbitrary<readonly Pod[]> = fc
  .array(fc.record({ isHuge: fc.boolean(), cpuMillis: fc.integer({ min: 100, max: 2000 }) }), { minLength: 1, maxLength: 8 })
  .map((all) =>
    all.map(({ isHuge, cpuMillis }, index) =>
      aPod(named(`hopeless-${index}`), ...(isHuge ? [requesting({ cpuMillis: HUGE + cpuMillis })] : [requesting({ cpuMillis }), nowhere])),
    ),
  );

const sortedNames = (all: readonly Pod[]): readonly string[] => all.map(({ metadata }) => metadata.name).sort();

/** Node → pods, and each planned node with its cheapest offering. */
const placesIn = ({ placements, plannedNodes }: Plan) => [
  [...placements].map(([node, placed]) => [node, sortedNames(placed)]),
  plannedNodes.map(({ cheapest: { instanceType, offering }, pods: own }) => [
    instanceType.name,
    offering.zone,
    offering.pricePerHour,
    sortedNames(own),
  ]),
];

test('pods that no node could take change nothing in the plan for the others', () => {
  const snapshots = aSnapshotOf({ pods: 8, types: 4 });
  fc.assert(
    fc.property(snapshots, hopelessPods, (snapshot, hopeless) => {
      const beside = { ...snapshot, pendingPods: [...snapshot.pendingPods, ...hopeless] };
      const [alone, together] = [simulate(snapshot), simulate(beside)];
      expect(validatePlan(beside, defaultSchedulingPolicy, together)).toEqual([]);
      expect(placesIn(together)).toEqual(placesIn(alone));
      expect(together.rejections).toHaveLength(alone.rejections.length + hopeless.length);
    }),
    { numRuns: 40 },
  );
});

const stepsOf = (snapshot: ClusterSnapshot): number => {
  const steps = planning(snapshot, defaultSchedulingPolicy, () => false);
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
};

test('when only pods are left over that no node could take › no other plan is tried', () => {
  const pending = Array.from({ length: 12 }, (_, index) => pods(3, requesting({ cpuMillis: HUGE + index }))).flat();
  const options = { nodePools: [aNodePool()], instanceTypes: [anInstanceType({ name: 'only', cpus: 4 })] };
  expect(stepsOf(aSnapshot({ ...options, pending }))).toBeLessThan(300);
});
