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
import { heaviestSubsets, subsetsByWeight } from './weighted-subsets.ts';

const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
const zone = 'topology.kubernetes.io/zone';
const keys = [zone, 'kubernetes.io/hostname', 'kubernetes.io/arch'];
const apps = ['web', 'db'];

/** One constraint relative to other pods, as a preference or as a requirement. */
interface Constraint {
  readonly asPreference: (weight: number) => PodTrait;
  readonly asRequirement: PodTrait;
}

const term = fc
  .record({ topologyKey: fc.constantFrom(...keys), app: fc.constantFrom(...apps) })
  .map(({ topologyKey, app }) => ({ topologyKey, labelSelector: { matchLabels: { app } } }));
const affinity = term.map((each): Constraint => ({ asPreference: (weight) => ratherNextTo(weight, each), asRequirement: nextTo(each) }));
const antiAffinity = term.map((each): Constraint => ({
  asPreference: (weight) => ratherAwayFrom(weight, each),
  asRequirement: awayFrom(each),
}));
const spread = term.map((each): Constraint => {
  const traitOf = (whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'): PodTrait =>
    spreadOver({ ...each, maxSkew: 1, whenUnsatisfiable, nodeAffinityPolicy: 'Ignore' });
  return { asPreference: () => traitOf('ScheduleAnyway'), asRequirement: traitOf('DoNotSchedule') };
});

const label = fc.constantFrom(...zones, 'nowhere').map((favourite): Constraint => {
  const there = { matchExpressions: [{ key: zone, operator: 'In' as const, values: [favourite] }] };
  return { asPreference: (weight) => preferring(weight, there), asRequirement: requiringAnyOf(there) };
});

interface Preference extends Constraint {
  readonly weight: number;
}

/**
 * Preferences of all kinds, the heaviest first; a spread weighs most. At most one affinity: several required terms
 * count only pods that all of them select, while each preferred term counts by itself. At most one about labels:
 * required terms are ORed.
 */
const preferences: fc.Arbitrary<readonly Preference[]> = fc
  .tuple(
    fc.array(spread, { maxLength: 1 }).map((spreads) => spreads.map((each) => ({ ...each, weight: 100 }))),
    fc
      .tuple(fc.array(label, { maxLength: 1 }), fc.array(affinity, { maxLength: 1 }), fc.array(antiAffinity, { maxLength: 2 }))
      .map((kinds) => kinds.flat())
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
      .chain((all) =>
        fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: all.length, maxLength: all.length }).map((weights) => {
          const sorted = weights.toSorted((x, y) => y - x);
          return all.map((each, index) => ({ ...each, weight: sorted[index] ?? 1 }));
        }),
      ),
  )
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

const planWithPreferences = (snapshot: ClusterSnapshot, preferences: SchedulingPolicy['preferences'] = 'Respect'): Plan =>
  simulate(snapshot, { ...defaultSchedulingPolicy, preferences }, () => false);
const isPlaced = (plan: Plan): boolean => plan.rejections.length === 0;
const asPreferences = (all: readonly Preference[]): readonly PodTrait[] => all.map(({ asPreference, weight }) => asPreference(weight));
const asRequirements = (all: readonly Constraint[]): readonly PodTrait[] => all.map(({ asRequirement }) => asRequirement);

test('a pod is placed exactly when some subset of its preferences, perhaps none, can be met', () => {
  fc.assert(
    fc.property(clusters, preferences, (cluster, all) => {
      const could = subsetsByWeight(all).some((some) => isPlaced(planWithPreferences(withPod(cluster, ...asRequirements(some)))));
      expect(isPlaced(planWithPreferences(withPod(cluster, ...asPreferences(all))))).toBe(could);
    }),
  );
});

const nodesOf = ({ placements, plannedNodes }: Plan): readonly string[] => [
  ...placements.keys(),
  ...plannedNodes.map(({ cheapest }) => `new in ${cheapest.offering.zone}`),
];

test('the preferences with the largest sum of weights that can be had together are kept: the pod goes where it would if these were requirements', () => {
  fc.assert(
    fc.property(clusters, preferences, (cluster, all) => {
      const [heaviest, ...asHeavy] = heaviestSubsets(all, (some) =>
        isPlaced(planWithPreferences(withPod(cluster, ...asRequirements(some)))),
      );
      fc.pre(heaviest !== undefined && asHeavy.length === 0);
      const preferred = planWithPreferences(withPod(cluster, ...asPreferences(all)));
      const required = planWithPreferences(withPod(cluster, ...asRequirements(heaviest)));
      expect(nodesOf(preferred)).toEqual(nodesOf(required));
    }),
    { numRuns: 300 },
  );
});

test('preferences leave no pod over that has a place when they are ignored', () => {
  fc.assert(
    fc.property(aHandful, (snapshot) => {
      expect(planWithPreferences(snapshot).rejections.length).toBeLessThanOrEqual(
        planWithPreferences(snapshot, 'Ignore').rejections.length,
      );
    }),
    { numRuns: 300 },
  );
});
