import { type ClusterSnapshot, defaultSchedulingPolicy, type Plan, type Pod, simulate } from '@karpenter/core';
import type { NodeSelectorTerm } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  preferring,
  requesting,
  requiringAnyOf,
  tolerating,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';

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
  preferences: fc.array(term, { minLength: 1, maxLength: 4 }),
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

/** The pod with these of its preferences as requirements, and without the others. */
const requiring = ({ alternatives, isTolerant }: PreferringPod, required: readonly NodeSelectorTerm[]): Pod =>
  aPod(
    requesting({ cpuMillis: 500 }),
    ...(isTolerant ? [soft] : []),
    requiringAnyOf(...alternatives.map((each) => required.reduce(together, each))),
  );

const preferringAll = (pod: PreferringPod): Pod =>
  pod.preferences.reduce((built, preference, i) => preferring(90 - i, preference)(built), requiring(pod, []));

const withPod = (cluster: Parameters<Parameters<typeof clusters.map>[0]>[0], pod: Pod): ClusterSnapshot => {
  const { isTainted, isSoft, team, zones, hasNode } = cluster;
  const taints = isTainted ? [{ key: 'dedicated', effect: isSoft ? ('PreferNoSchedule' as const) : ('NoSchedule' as const) }] : [];
  return aSnapshot({
    pending: [pod],
    nodePools: [aNodePool({ taints, ...(team === undefined ? {} : { labels: { team } }) })],
    instanceTypes: [anInstanceType({ cpus: 2, zones }), anInstanceType({ cpus: 4, arch: 'arm64', zones })],
    nodes: hasNode ? [aNode({ name: 'there', zone: 'test-zone-1', labels: { team: 'red' } })] : [],
  });
};

const solve = (snapshot: ClusterSnapshot): Plan => simulate(snapshot, defaultSchedulingPolicy, () => false);
const isPlaced = (plan: Plan): boolean => plan.rejections.length === 0;
const subsetsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.reduce<readonly (readonly T[])[]>((subsets, each) => [...subsets, ...subsets.map((subset) => [...subset, each])], [[]]);

test('a pod is placed exactly when some subset of its preferences, perhaps none, can be met together with one of its alternatives', () => {
  fc.assert(
    fc.property(clusters, preferringPods, (cluster, pod) => {
      const could = subsetsOf(pod.preferences).some((some) => isPlaced(solve(withPod(cluster, requiring(pod, some)))));
      expect(isPlaced(solve(withPod(cluster, preferringAll(pod))))).toBe(could);
    }),
  );
});

/**
 * A pod relaxes preferences if that is the only way to avoid a soft taint; here all nodes are tainted alike, so that it
 * is not.
 */
const allTaintedAlike = clusters.map((cluster) => (cluster.isTainted && cluster.isSoft ? { ...cluster, hasNode: false } : cluster));

test('the heaviest preferences that can be met together are met, whether or not there are soft taints', () => {
  fc.assert(
    fc.property(allTaintedAlike, preferringPods, (cluster, pod) => {
      fc.pre(isPlaced(solve(withPod(cluster, requiring(pod, [])))));
      const kept = pod.preferences.reduce<readonly NodeSelectorTerm[]>((before, each) => {
        const some = [...before, each];
        return isPlaced(solve(withPod(cluster, requiring(pod, some)))) ? some : before;
      }, []);
      const plan = solve(withPod(cluster, preferringAll(pod)));
      const as = solve(withPod(cluster, requiring(pod, kept)));
      const placesOf = ({ placements, plannedNodes }: Plan) => [
        [...placements.keys()],
        plannedNodes.map(({ claim }) => claim.spec.requirements),
      ];
      expect(placesOf(plan)).toEqual(placesOf(as));
    }),
    { numRuns: 300 },
  );
});
