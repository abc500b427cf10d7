import { type ClusterSnapshot, defaultSchedulingPolicy, type Plan, type Pod, simulate } from '@karpenter/core';
import type { NodeSelectorTerm } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  pods,
  preferring,
  requesting,
  requiringAnyOf,
  tolerating,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { heaviestSubsets, subsetsByWeight } from './weighted-subsets.ts';

const vocabulary: Readonly<Record<string, readonly string[]>> = {
  'topology.kubernetes.io/zone': ['test-zone-1', 'test-zone-2', 'nowhere'],
  'karpenter.sh/capacity-type': ['spot', 'on-demand'],
  'kubernetes.io/arch': ['amd64', 'arm64'],
  team: ['red', 'blue'],
};
const term: fc.Arbitrary<NodeSelectorTerm> = fc
  .constantFrom(...Object.entries(vocabulary))
  .chain(([key, values]) =>
    fc.subarray([...values], { minLength: 1, maxLength: 2 }).map((chosen) => ({ key, operator: 'In' as const, values: chosen })),
  )
  .map((expression) => ({ matchExpressions: [expression] }));

/** A pod that requires one of several alternatives, with preferences of different weights, the heaviest first. */
const preferringPods = fc.record({
  alternatives: fc.array(term, { minLength: 1, maxLength: 3 }),
  preferences: fc
    .array(fc.record({ weight: fc.integer({ min: 1, max: 9 }), wanted: term }), { minLength: 1, maxLength: 5 })
    .map((all) => all.toSorted((a, b) => b.weight - a.weight)),
  isTolerant: fc.boolean(),
});
type PreferringPod = Parameters<Parameters<typeof preferringPods.map>[0]>[0];

const clusters = fc.record({
  isTainted: fc.boolean(),
  isSoft: fc.boolean(),
  team: fc.constantFrom(undefined, 'red', 'blue'),
  zones: fc.subarray(['test-zone-1', 'test-zone-2'], { minLength: 1 }),
  hasNode: fc.boolean(),
});

const soft: PodTrait = tolerating({ key: 'dedicated', operator: 'Exists' });
const together = (a: NodeSelectorTerm, b: NodeSelectorTerm): NodeSelectorTerm => ({
  matchExpressions: [...(a.matchExpressions ?? []), ...(b.matchExpressions ?? [])],
});

type Preference = PreferringPod['preferences'][number];

/** The pod with these of its preferences as requirements, and without the others. */
const requiring = ({ alternatives, isTolerant }: PreferringPod, required: readonly Preference[]): Pod =>
  aPod(
    requesting({ cpuMillis: 500 }),
    ...(isTolerant ? [soft] : []),
    requiringAnyOf(...alternatives.map((each) => required.map(({ wanted }) => wanted).reduce(together, each))),
  );

const preferringAll = (pod: PreferringPod): Pod =>
  pod.preferences.reduce((built, { weight, wanted }) => preferring(weight, wanted)(built), requiring(pod, []));

type Cluster = Parameters<Parameters<typeof clusters.map>[0]>[0];

const withPod = (cluster: Cluster, pod: Pod): ClusterSnapshot => {
  const { isTainted, isSoft, team, zones, hasNode } = cluster;
  const taints = isTainted ? [{ key: 'dedicated', effect: isSoft ? ('PreferNoSchedule' as const) : ('NoSchedule' as const) }] : [];
  return aSnapshot({
    pending: [pod],
    nodePools: [aNodePool({ taints, ...(team === undefined ? {} : { labels: { team } }) })],
    instanceTypes: [anInstanceType({ cpus: 2, zones }), anInstanceType({ cpus: 4, arch: 'arm64', zones })],
    nodes: hasNode ? [aNode({ name: 'there', zone: 'test-zone-1', labels: { team: 'red' } })] : [],
  });
};
const isPlaced = (plan: Plan): boolean => plan.rejections.length === 0;
test('a pod is placed exactly when some subset of its preferences, perhaps none, can be met together with one of its alternatives', () => {
  fc.assert(
    fc.property(clusters, preferringPods, (cluster, pod) => {
      const could = subsetsByWeight(pod.preferences).some((some) => isPlaced(simulate(withPod(cluster, requiring(pod, some)))));
      expect(isPlaced(simulate(withPod(cluster, preferringAll(pod))))).toBe(could);
    }),
  );
});

/**
 * A pod relaxes preferences if that is the only way to avoid a soft taint; here all nodes are tainted alike, so that it
 * is not.
 */
const allTaintedAlike = clusters.map((cluster) => (cluster.isTainted && cluster.isSoft ? { ...cluster, hasNode: false } : cluster));

test('the preferences with the largest sum of weights that can be met together are met, whether or not there are soft taints', () => {
  fc.assert(
    fc.property(allTaintedAlike, preferringPods, (cluster, pod) => {
      const [heaviest, ...asHeavy] = heaviestSubsets(pod.preferences, (some) => isPlaced(simulate(withPod(cluster, requiring(pod, some)))));
      fc.pre(heaviest !== undefined && asHeavy.length === 0);
      const plan = simulate(withPod(cluster, preferringAll(pod)));
      const as = simulate(withPod(cluster, requiring(pod, heaviest)));
      const placesOf = ({ placements, plannedNodes }: Plan) => [
        [...placements.keys()],
        plannedNodes.map(({ claim }) => claim.spec.requirements),
      ];
      expect(placesOf(plan)).toEqual(placesOf(as));
    }),
    { numRuns: 300 },
  );
});

describe('under Weigh, pods that fill a machine each', () => {
  const offers = fc.uniqueArray(
    fc.record({
      zone: fc.constantFrom('test-zone-1', 'test-zone-2'),
      capacityType: fc.constantFrom('spot', 'on-demand'),
      pricePerHour: fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8),
    }),
    { minLength: 1, maxLength: 4, selector: ({ zone, capacityType }) => `${zone} ${capacityType}` },
  );
  const preferredTerms = fc.record({
    weight: fc.integer({ min: 1, max: 100 }),
    wanted: fc.constantFrom<readonly [field: 'zone' | 'capacityType', key: string, value: string]>(
      ['zone', 'topology.kubernetes.io/zone', 'test-zone-1'],
      ['zone', 'topology.kubernetes.io/zone', 'test-zone-2'],
      ['capacityType', 'karpenter.sh/capacity-type', 'on-demand'],
    ),
  });
  const questions = fc.record({
    offerings: offers,
    count: fc.integer({ min: 1, max: 3 }),
    /** Dollars an hour for a weight of 100. */
    price: fc.integer({ min: 0, max: 48 }).map((eighths) => eighths / 8),
  });
  type PreferredTerm = Parameters<Parameters<typeof preferredTerms.map>[0]>[0];
  type Question = Parameters<Parameters<typeof questions.map>[0]>[0];

  const plannedFor = ({ offerings, count, price }: Question, preferred: readonly PreferredTerm[]): Plan => {
    const preferences = preferred.map(({ weight, wanted: [, key, value] }) =>
      preferring(weight, { matchExpressions: [{ key, operator: 'In', values: [value] }] }),
    );
    const snapshot = aSnapshot({
      pending: pods(count, requesting({ cpuMillis: 3500 }), ...preferences),
      instanceTypes: [anInstanceType({ cpus: 4, offerings })],
    });
    return simulate(snapshot, { ...defaultSchedulingPolicy, preferences: 'Weigh', preferencePricePerHour: price }, () => false);
  };
  const meets = (offer: { readonly zone: string; readonly capacityType: string }, { wanted: [field, , value] }: PreferredTerm): boolean =>
    offer[field] === value;
  const cheapestOf = (offerings: Question['offerings']): number => Math.min(...offerings.map(({ pricePerHour }) => pricePerHour));

  test('have their only preference exactly when it costs no more than its price', () => {
    fc.assert(
      fc.property(questions, preferredTerms, (question, term) => {
        const { offerings, count, price } = question;
        const cheapest = cheapestOf(offerings);
        const cost = cheapestOf(offerings.filter((offer) => meets(offer, term))) - cheapest;
        const isWorthIt = cost <= (price * term.weight) / 100;
        const plan = plannedFor(question, [term]);
        expect(plan.pricePerHour).toBeCloseTo(count * (cheapest + (isWorthIt ? cost : 0)));
        const relaxed = plan.relaxed?.flatMap((each) => each.relaxed) ?? [];
        const lost = { podCount: count, ...(Number.isFinite(cost) ? { costPerHour: expect.closeTo(cost) } : {}) };
        expect(relaxed).toMatchObject(isWorthIt ? [] : [lost]);
      }),
    );
  });

  test('pay no more for their preferences than the price of those that they have', () => {
    fc.assert(
      fc.property(questions, fc.array(preferredTerms, { maxLength: 3 }), (question, preferred) => {
        const plan = plannedFor(question, preferred);
        expect(plan.rejections).toEqual([]);
        for (const { offering } of plan.plannedNodes.map(({ cheapest }) => cheapest)) {
          const weights = preferred.filter((term) => meets(offering, term)).map(({ weight }) => weight);
          const worth = (question.price * weights.reduce((sum, weight) => sum + weight, 0)) / 100;
          expect(offering.pricePerHour).toBeLessThanOrEqual(cheapestOf(question.offerings) + worth + 1e-9);
        }
      }),
    );
  });
});
