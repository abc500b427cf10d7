import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aSnapshotOf, reorder, someDefaultSpread, somePodSelectors } from '../arbitraries/index.ts';
import { asScheduled } from './as-scheduled.ts';
import { lawRuns } from './testing/law-runs.ts';
import { validatePlan } from './validate-plan.ts';

const withSelectors: fc.Arbitrary<ClusterSnapshot> = fc
  .tuple(aSnapshotOf({ pods: 16, types: 5 }), somePodSelectors)
  .map(([snapshot, { podSelectors, owned }]) => ({
    ...snapshot,
    podSelectors,
    pendingPods: snapshot.pendingPods.map(owned),
    nodes: snapshot.nodes.map((node) => ({ ...node, pods: node.pods.map(owned) })),
  }));

const policies: fc.Arbitrary<SchedulingPolicy> = fc
  .tuple(
    someDefaultSpread,
    fc.constantFrom('Respect' as const, 'Ignore' as const),
    fc.constantFrom('cheapest' as const, 'first-fit' as const),
  )
  .map(([defaultSpread, preferences, packing]) => ({ ...defaultSchedulingPolicy, defaultSpread, preferences, packing }));

const nameOf = ({ metadata }: Pod): string => metadata.name;
const summaryOf = (plan: Plan): unknown => [
  plan.plannedNodes.map(({ pods, claim }) => [pods.map(nameOf), claim]),
  [...plan.placements].map(([node, pods]) => [node, pods.map(nameOf)]),
  plan.rejections.map(({ pod, reason }) => [nameOf(pod), reason.kind]),
];

test('a plan with default spread breaks no rule', () => {
  fc.assert(
    fc.property(withSelectors, policies, (snapshot, policy) => {
      expect(validatePlan(snapshot, policy, simulate(snapshot, policy))).toEqual([]);
    }),
    lawRuns({ usual: 60, all: 150 }),
  );
});

test('it is the plan of pods that carry the constraints themselves', () => {
  fc.assert(
    fc.property(withSelectors, policies, (snapshot, policy) => {
      const plan = simulate(snapshot, policy);
      const [explicit] = asScheduled(snapshot, plan, policy);
      const { defaultSpread: _, ...plain } = policy;
      expect(summaryOf(plan)).toEqual(summaryOf(simulate(explicit, plain)));
    }),
    lawRuns({ usual: 40, all: 80 }),
  );
});

test('it does not depend on the order in which selectors arrived', () => {
  fc.assert(
    fc.property(withSelectors, policies, fc.nat(20), (snapshot, policy, seed) => {
      const other = { ...reorder(snapshot, seed), podSelectors: (snapshot.podSelectors ?? []).toReversed() };
      expect(summaryOf(simulate(other, policy))).toEqual(summaryOf(simulate(snapshot, policy)));
    }),
    lawRuns({ usual: 30, all: 80 }),
  );
});
