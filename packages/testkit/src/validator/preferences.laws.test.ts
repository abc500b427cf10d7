import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, NodeSelectorTerm, Plan, Pod } from '@karpenter/core';
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

/** A pod with some alternatives that it needs one of, and some wishes of different weight, the heaviest first. */
const wishful = fc.record({
  alternatives: fc.array(term, { minLength: 1, maxLength: 3 }),
  wishes: fc.array(term, { minLength: 1, maxLength: 4 }),
  isTolerant: fc.boolean(),
});
type Wishful = Parameters<Parameters<typeof wishful.map>[0]>[0];

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

/** The pod with these of its wishes as needs, and no others. */
const needing = ({ alternatives, isTolerant }: Wishful, needs: readonly NodeSelectorTerm[]): Pod =>
  aPod(
    requesting({ cpuMillis: 500 }),
    ...(isTolerant ? [soft] : []),
    requiringAnyOf(...alternatives.map((each) => needs.reduce(together, each))),
  );

const wishing = (wishful: Wishful): Pod => wishful.wishes.reduce((pod, wish, i) => preferring(90 - i, wish)(pod), needing(wishful, []));

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

test('a pod is placed exactly where some of its wishes, or none, could be had beside one of its alternatives', () => {
  fc.assert(
    fc.property(clusters, wishful, (cluster, pod) => {
      const could = subsetsOf(pod.wishes).some((needs) => isPlaced(solve(withPod(cluster, needing(pod, needs)))));
      expect(isPlaced(solve(withPod(cluster, wishing(pod))))).toBe(could);
    }),
  );
});

/** Where the only way to keep off a soft taint is to give up wishes, that is done; with every node tainted there is no such way. */
const allTaintedAlike = clusters.map((cluster) => (cluster.isTainted && cluster.isSoft ? { ...cluster, hasNode: false } : cluster));

test('the heaviest wish that can be had alone is had, soft taints or not; only the wish to keep off them outlasts it', () => {
  fc.assert(
    fc.property(allTaintedAlike, wishful, (cluster, pod) => {
      const heaviest = pod.wishes.find((wish) => isPlaced(solve(withPod(cluster, needing(pod, [wish])))));
      const plan = solve(withPod(cluster, wishing(pod)));
      if (heaviest === undefined) return;
      const as = solve(withPod(cluster, needing(pod, [heaviest])));
      const placesOf = ({ placements, plannedNodes }: Plan) => [
        [...placements.keys()],
        plannedNodes.map(({ claim }) => claim.spec.requirements),
      ];
      expect(placesOf(plan)).toEqual(placesOf(as));
    }),
  );
});
