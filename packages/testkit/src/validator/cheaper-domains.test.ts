import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  labelled,
  named,
  nextTo,
  pods,
  preferring,
  requesting,
  requiringAnyOf,
  spreadOver,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatedPlan, zonesOfPlan } from './testing/validated-plan.ts';
import { offeredIn } from './testing/offered-in.ts';

const zone = 'topology.kubernetes.io/zone';
const labelSelector = { matchLabels: { app: 'store' } };
const store = labelled({ app: 'store' });

/** Small machines are cheapest in one zone, large ones in the other. */
const instanceTypes = [
  anInstanceType({ name: 'large', cpus: 8, memoryBytes: 64 * 1024 ** 3, offerings: offeredIn({ 'zone-1': 0.9, 'zone-2': 0.35 }) }),
  anInstanceType({ name: 'small', cpus: 2, memoryBytes: 16 * 1024 ** 3, offerings: offeredIn({ 'zone-1': 0.19, 'zone-2': 0.2 }) }),
];

test('when pods must share a zone › they share the one in which all of them together cost least', () => {
  const together = nextTo({ topologyKey: zone, labelSelector });
  const plan = validatedPlan(
    aSnapshot({
      pending: [
        aPod(named('leader'), store, together, requesting({ cpuMillis: 7500 })),
        ...pods(10, store, together, requesting({ cpuMillis: 1500 })),
      ],
      instanceTypes,
      nodePools: [aNodePool()],
    }),
  );
  expect(plan.rejections).toEqual([]);
  expect(new Set(zonesOfPlan(plan))).toEqual(new Set(['zone-2']));
});

test('when a spread leaves a choice of zones › the pod that is one too many stands where it is cheapest', () => {
  const evenly = spreadOver({ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector });
  const types = [
    anInstanceType({ name: 'only', cpus: 2, memoryBytes: 16 * 1024 ** 3, offerings: offeredIn({ 'zone-1': 0.2, 'zone-2': 0.03 }) }),
  ];
  const plan = validatedPlan(
    aSnapshot({ pending: pods(3, store, evenly, requesting({ cpuMillis: 1500 })), instanceTypes: types, nodePools: [aNodePool()] }),
  );
  expect(zonesOfPlan(plan)).toEqual(['zone-1', 'zone-2', 'zone-2']);
});

test('when one zone is cheaper for all pods, and a spread forbids it › no pod is left over', () => {
  const snapshot = aSnapshot({
    pending: [
      ...pods(
        4,
        store,
        spreadOver({ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector }),
        requesting({ cpuMillis: 1500 }),
      ),
    ],
    instanceTypes,
    nodePools: [aNodePool()],
  });
  const plan = validatedPlan(snapshot);
  expect(plan.rejections).toEqual([]);
  expect(new Set(zonesOfPlan(plan))).toEqual(new Set(['zone-1', 'zone-2']));
});

test('when a heavier pool has small machines only › pods that must share a host all get a place on one machine of the lighter pool', () => {
  const together = nextTo({ topologyKey: 'kubernetes.io/hostname', labelSelector });
  const ofArch = (arch: string, weight: number) =>
    aNodePool({ name: arch, weight, requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [arch] }] });
  const snapshot = aSnapshot({
    pending: pods(4, store, together, requesting({ cpuMillis: 900 })),
    instanceTypes: [
      anInstanceType({ name: 'small', cpus: 2, arch: 'amd64' }),
      anInstanceType({ name: 'small-arm', cpus: 2, arch: 'arm64', pricePerHour: 0.01 }),
      anInstanceType({ name: 'large', cpus: 8, arch: 'arm64' }),
    ],
    nodePools: [ofArch('amd64', 10), ofArch('arm64', 1)],
  });
  const plan = simulate(snapshot, { ...defaultSchedulingPolicy, packing: 'first-fit' });
  expect(plan.rejections).toEqual([]);
  expect(plan.plannedNodes.map(({ nodePoolName, pods: own }) => [nodePoolName, own.length])).toEqual([['arm64', 4]]);
});

test('when a pool can never launch because of its minValues › its label is no domain that a spread counts', () => {
  const overTeams = spreadOver({ topologyKey: 'team', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector });
  const threeTypes = { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 3 } as const;
  const plan = validatedPlan(
    aSnapshot({
      pending: pods(4, store, overTeams, requesting({ cpuMillis: 500 })),
      instanceTypes,
      nodePools: [
        aNodePool({ name: 'blue', labels: { team: 'blue' }, requirements: [threeTypes] }),
        aNodePool({ name: 'red', labels: { team: 'red' } }),
      ],
    }),
  );
  expect(plan.rejections).toEqual([]);
});

/** The pools of the new nodes for four pods, each pool with what it requires of the zone. */
const poolsFor = (...pools: readonly { readonly name: string; readonly zone: string; readonly weight?: number }[]): readonly string[] => {
  const { plannedNodes } = validatedPlan(
    aSnapshot({
      pending: pods(4, requesting({ cpuMillis: 1500 })),
      instanceTypes,
      nodePools: pools.map(({ zone: values, ...rest }) =>
        aNodePool({ ...rest, requirements: [{ key: zone, operator: 'In', values: [values] }] }),
      ),
    }),
  );
  return [...new Set(plannedNodes.map(({ nodePoolName }) => nodePoolName))];
};

test('when pools have the same weight › the one that sells cores for less comes first, whatever its name', () => {
  const [dear, cheap] = ['zone-1', 'zone-2'];
  expect(poolsFor({ name: 'a', zone: dear }, { name: 'b', zone: cheap })).toEqual(['b']);
  expect(poolsFor({ name: 'b', zone: dear }, { name: 'a', zone: cheap })).toEqual(['a']);
  expect(poolsFor({ name: 'a', zone: dear, weight: 2 }, { name: 'b', zone: cheap, weight: 1 })).toEqual(['a']);
  expect(poolsFor({ name: 'b', zone: cheap }, { name: 'a', zone: cheap })).toEqual(['a']);
});

test.each<[string, number | undefined, readonly (readonly [pool: string, type: string])[]]>([
  ['are as much preferred › they go where all of them cost least', undefined, [['b', 'roomy']]],
  ['are less preferred › they stay in the first', 1, Array.from({ length: 4 }, () => ['a', 'small'] as const)],
])('when pods would be cheap one by one in the first pool, and other pools %s', (_, weight, expected) => {
  const offered = (pricePerHour: number) => ({ offerings: offeredIn({ 'zone-1': pricePerHour }) });
  const types = [
    anInstanceType({ name: 'tiny', cpus: 1, memoryBytes: 4 * 1024 ** 3, ...offered(0.005) }),
    anInstanceType({ name: 'small', cpus: 4, memoryBytes: 16 * 1024 ** 3, ...offered(0.094) }),
    anInstanceType({ name: 'roomy', cpus: 32, memoryBytes: 256 * 1024 ** 3, ...offered(0.332) }),
    anInstanceType({ name: 'large', cpus: 64, memoryBytes: 256 * 1024 ** 3, ...offered(2.79) }),
  ];
  const withoutRoomy = [{ key: 'node.kubernetes.io/instance-type', operator: 'NotIn' as const, values: ['roomy'] }];
  const plan = validatedPlan(
    aSnapshot({
      pending: pods(4, store, requesting({ cpuMillis: 100, memoryBytes: 12 * 1024 ** 3 })),
      instanceTypes: types,
      nodePools: [aNodePool({ name: 'a', requirements: withoutRoomy, ...(weight && { weight }) }), aNodePool({ name: 'b' })],
    }),
  );
  expect(plan.plannedNodes.map(({ nodePoolName, cheapest }) => [nodePoolName, cheapest.instanceType.name])).toEqual(expected);
});

test.each<[string, readonly PodTrait[]]>([
  ['pods without preferences', []],
  ['with a preference that either node meets', [preferring(50, { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] })]],
  [
    'that are spread',
    [spreadOver({ topologyKey: 'kubernetes.io/hostname', maxSkew: 5, whenUnsatisfiable: 'DoNotSchedule', labelSelector })],
  ],
])('when a node that is there meets the second of two ORed terms, and a new one the first › it takes %s', (_, options) => {
  const either = requiringAnyOf(
    { matchExpressions: [{ key: zone, operator: 'In', values: ['zone-1'] }] },
    { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
  );
  const plan = validatedPlan(
    aSnapshot({
      pending: pods(2, store, either, requesting({ cpuMillis: 500 }), ...options),
      nodes: [aNode({ name: 'there', zone: 'zone-2', labels: { team: 'red' } })],
      instanceTypes,
      nodePools: [aNodePool()],
    }),
  );
  expect(plan.plannedNodes).toEqual([]);
  expect(plan.placements.get('there')).toHaveLength(2);
});
