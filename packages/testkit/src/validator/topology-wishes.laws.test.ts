import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Plan, SchedulingPolicy } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aHandful } from '../arbitraries/index.ts';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  awayFrom,
  inZone,
  labelled,
  nextTo,
  preferring,
  ratherAwayFrom,
  ratherNextTo,
  requesting,
  requiringAnyOf,
  runningOn,
  spreadOver,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';

const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
const zone = 'topology.kubernetes.io/zone';
const keys = [zone, 'kubernetes.io/hostname', 'kubernetes.io/arch'];
const apps = ['web', 'db'];

/** One thing that a pod may ask of where others are, as a wish or as a need. */
interface Asking {
  readonly asWish: (weight: number) => PodTrait;
  readonly asNeed: PodTrait;
}

const term = fc
  .record({ topologyKey: fc.constantFrom(...keys), app: fc.constantFrom(...apps) })
  .map(({ topologyKey, app }) => ({ topologyKey, labelSelector: { matchLabels: { app } } }));
const company = term.map((each): Asking => ({ asWish: (weight) => ratherNextTo(weight, each), asNeed: nextTo(each) }));
const distance = term.map((each): Asking => ({
  asWish: (weight) => ratherAwayFrom(weight, each),
  asNeed: awayFrom(each),
}));
const evenness = term.map((each): Asking => {
  const spread = (whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'): PodTrait =>
    spreadOver({ ...each, maxSkew: 1, whenUnsatisfiable });
  return { asWish: () => spread('ScheduleAnyway'), asNeed: spread('DoNotSchedule') };
});

/**
 * Wishes in the order in which they are given up: company, distance, one spread; the lightest of a kind first. One wish for company: of several that are
 * needed only pods count that all of them mean, of several wishes each counts for itself.
 */
const wishes: fc.Arbitrary<readonly Asking[]> = fc
  .tuple(fc.array(company, { maxLength: 1 }), fc.array(distance, { maxLength: 2 }), fc.array(evenness, { maxLength: 1 }))
  .map((kinds) => kinds.flat());

const anywhere: PodTrait = (pod) => pod;
const clusters = fc.record({
  app: fc.constantFrom(...apps),
  home: fc.constantFrom(anywhere, anywhere, inZone('test-zone-1'), inZone('test-zone-2')),
  sold: fc.subarray(zones, { minLength: 1 }),
  arches: fc.subarray(['amd64', 'arm64'], { minLength: 1 }),
  load: fc.array(fc.record({ zone: fc.constantFrom(...zones), app: fc.constantFrom(...apps), isFull: fc.boolean() }), { maxLength: 3 }),
});
type Cluster = Parameters<Parameters<typeof clusters.map>[0]>[0];

const withPod = ({ app, home, sold, arches, load }: Cluster, ...traits: readonly PodTrait[]): ClusterSnapshot =>
  aSnapshot({
    pending: [aPod(requesting({ cpuMillis: 500 }), labelled({ app }), home, ...traits)],
    nodePools: [aNodePool()],
    instanceTypes: arches.map((arch) => anInstanceType({ name: arch, arch, cpus: 2, zones: sold })),
    nodes: load.map(({ isFull, ...each }, index) => {
      const name = `node-${index}`;
      const pods = [aPod(requesting({ cpuMillis: isFull ? 1800 : 100 }), labelled({ app: each.app }), runningOn(name))];
      return aNode({ name, zone: each.zone, allocatable: { cpu: 2000, memory: 8 * 1024 ** 3, pods: 10 }, pods });
    }),
  });

const solve = (snapshot: ClusterSnapshot, preferences: SchedulingPolicy['preferences'] = 'Respect'): Plan =>
  simulate(snapshot, { ...defaultSchedulingPolicy, preferences }, () => false);
const isPlaced = (plan: Plan): boolean => plan.rejections.length === 0;
const asWishes = (all: readonly Asking[]): readonly PodTrait[] => all.map(({ asWish }, index) => asWish(index + 1));
const asNeeds = (all: readonly Asking[]): readonly PodTrait[] => all.map(({ asNeed }) => asNeed);
const subsetsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.reduce<readonly (readonly T[])[]>((subsets, each) => [...subsets, ...subsets.map((subset) => [...subset, each])], [[]]);

test('a pod is placed exactly where some of its wishes about others, or none, could be had', () => {
  fc.assert(
    fc.property(clusters, wishes, (cluster, all) => {
      const could = subsetsOf(all).some((some) => isPlaced(solve(withPod(cluster, ...asNeeds(some)))));
      expect(isPlaced(solve(withPod(cluster, ...asWishes(all))))).toBe(could);
    }),
  );
});

const nodesOf = ({ placements, plannedNodes }: Plan): readonly string[] => [
  ...placements.keys(),
  ...plannedNodes.map(({ cheapest }) => `new in ${cheapest.offering.zone}`),
];

test('of the wishes no more are given up, in their order, than it takes: the pod goes where it would if the others were needs', () => {
  fc.assert(
    fc.property(clusters, wishes, (cluster, all) => {
      const kept = all.map((_, given) => all.slice(given)).find((rest) => isPlaced(solve(withPod(cluster, ...asNeeds(rest))))) ?? [];
      const wishing = solve(withPod(cluster, ...asWishes(all)));
      fc.pre(isPlaced(wishing));
      const plainly = solve(withPod(cluster, ...asNeeds(kept)));
      expect(nodesOf(wishing)).toEqual(nodesOf(plainly));
    }),
  );
});

test('a wish about labels is kept longer than any about other pods', () => {
  fc.assert(
    fc.property(clusters, wishes, fc.constantFrom(...zones), (cluster, all, favourite) => {
      const there = { matchExpressions: [{ key: zone, operator: 'In' as const, values: [favourite] }] };
      fc.pre(isPlaced(solve(withPod(cluster, requiringAnyOf(there)))));
      const plan = solve(withPod(cluster, preferring(1, there), ...asWishes(all)));
      const zoneOf = (name: string): string | undefined => cluster.load[Number(name.replace('node-', ''))]?.zone;
      expect([...[...plan.placements.keys()].map(zoneOf), ...plan.plannedNodes.map(({ cheapest }) => cheapest.offering.zone)]).toEqual([
        favourite,
      ]);
    }),
  );
});

test('wishes leave no pod over that has a place where nobody wishes for anything', () => {
  fc.assert(
    fc.property(aHandful, (snapshot) => {
      expect(solve(snapshot).rejections.length).toBeLessThanOrEqual(solve(snapshot, 'Ignore').rejections.length);
    }),
    { numRuns: 300 },
  );
});
