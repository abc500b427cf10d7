import { defaultSchedulingPolicy, type InstanceType, type Pod } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  named,
  oneOf,
  pods,
  preferring,
  requesting,
  requiringAnyOf,
  withNodeSelector,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const GIB = 1024 ** 3;
const zone = 'topology.kubernetes.io/zone';
const podNamesIn = (list: readonly Pod[] | undefined): readonly string[] => (list ?? []).map(({ metadata }) => metadata.name);
const createdAt = (creationTimestamp: string, uid: string) => (pod: Pod) => ({
  ...pod,
  metadata: { ...pod.metadata, creationTimestamp, uid },
});

describe('of two pods for one seat, it goes to', () => {
  test.each<[string, Pod, Pod]>([
    [
      'the one that asks for more cpu',
      aPod(named('first'), requesting({ cpuMillis: 200 })),
      aPod(named('second'), requesting({ cpuMillis: 100 })),
    ],
    [
      'with the same cpu, the one that asks for more memory',
      aPod(named('first'), requesting({ cpuMillis: 100, memoryBytes: 2 * GIB })),
      aPod(named('second'), requesting({ cpuMillis: 100, memoryBytes: GIB })),
    ],
    [
      'of one size, the older one',
      aPod(named('first'), createdAt('2026-01-01T00:00:00Z', 'z')),
      aPod(named('second'), createdAt('2026-01-02T00:00:00Z', 'a')),
    ],
    [
      'of one size and age, the one with the smaller uid',
      aPod(named('first'), createdAt('2026-01-01T00:00:00Z', 'a')),
      aPod(named('second'), createdAt('2026-01-01T00:00:00Z', 'b')),
    ],
  ])('%s', (_, first, second) => {
    const node = aNode({ name: 'seat', allocatable: { cpu: 4000, memory: 16 * GIB, pods: 1 } });
    for (const pending of [
      [first, second],
      [second, first],
    ]) {
      const plan = validatedPlan(aSnapshot({ pending, nodes: [node], nodePools: [] }));
      expect(podNamesIn(plan.placements.get('seat'))).toEqual(['first']);
      expect(podNamesIn(plan.rejections.map(({ pod }) => pod))).toEqual(['second']);
    }
  });
});

describe('a pod goes', () => {
  test('on a node that is there before one is planned, and of two alike on the one whose name comes first', () => {
    const plan = validatedPlan(aSnapshot({ pending: [aPod()], nodes: [aNode({ name: 'b' }), aNode({ name: 'a' })] }));
    expect([[...plan.placements.keys()], plan.plannedNodes]).toEqual([['a'], []]);
  });

  test('on a node that is planned for another before a new one', () => {
    expect(
      validatedPlan(aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1500 })), aPod(inZone('test-zone-2'))] })).plannedNodes,
    ).toHaveLength(1);
  });

  test('to the next pool once the heavier has as many nodes as it may have', () => {
    const nodePools = [aNodePool({ name: 'heavy', weight: 10, limits: { nodes: '1' } }), aNodePool({ name: 'light' })];
    const pending = pods(2, requesting({ cpuMillis: 1500 }));
    const plan = validatedPlan(aSnapshot({ pending, nodePools, instanceTypes: [anInstanceType({ cpus: 2 })] }));
    expect(plan.plannedNodes.map(({ nodePoolName }) => nodePoolName).toSorted()).toEqual(['heavy', 'light']);
  });

  test('of pools of one weight to the same one, whichever is listed first', () => {
    const nodePools = [aNodePool({ name: 'a' }), aNodePool({ name: 'b' })];
    const poolOf = (list: typeof nodePools) =>
      validatedPlan(aSnapshot({ pending: [aPod()], nodePools: list })).plannedNodes[0]?.nodePoolName;
    expect(poolOf(nodePools.toReversed())).toBe(poolOf(nodePools));
  });

  test('on a node with a soft taint only where there is no other way', () => {
    const reluctant = aNode({ name: 'a', taints: [{ key: 'reluctant', effect: 'PreferNoSchedule' }] });
    const nodeOf = (...nodes: readonly NodeView[]): readonly string[] => [
      ...validatedPlan(aSnapshot({ pending: [aPod()], nodes, nodePools: [] })).placements.keys(),
    ];
    expect([nodeOf(reluctant, aNode({ name: 'b' })), nodeOf(reluctant)]).toEqual([['b'], ['a']]);
  });

  test('on the first nodes in order that have room, one after the other', () => {
    const seats = (name: string, most: number) => aNode({ name, allocatable: { cpu: 4000, memory: 16 * GIB, pods: most } });
    const nodes = [seats('a', 2), seats('b', 1), seats('c', 9), seats('d', 9)];
    const { placements } = validatedPlan(aSnapshot({ pending: pods(5, requesting({ cpuMillis: 10 })), nodes, nodePools: [] }));
    expect([...placements].map(([name, own]) => `${name} ${own.length}`)).toEqual(['a 2', 'b 1', 'c 2']);
  });

  test('to no static pool: its machines are made by number', () => {
    const pool = aNodePool();
    const fixed = { ...pool, spec: { ...pool.spec, replicas: 3 } };
    expect(validatedPlan(aSnapshot({ pending: [aPod()], nodePools: [fixed] })).rejections).toHaveLength(1);
  });

  test('to the pool whose NodeClass it selects, by kind in small letters', () => {
    const pool = aNodePool();
    const { group, kind, name } = pool.spec.template.spec.nodeClassRef;
    const nodesFor = (value: string): number =>
      validatedPlan(aSnapshot({ pending: [aPod(withNodeSelector({ [`${group}/${kind.toLowerCase()}`]: value }))], nodePools: [pool] }))
        .plannedNodes.length;
    expect([nodesFor(name), nodesFor('another')]).toEqual([1, 0]);
  });

  test('on no node that it has no room for though its requirements are met, nor where only other types have the room', () => {
    const instanceTypes = [
      anInstanceType({ name: 'small', cpus: 2, zones: ['test-zone-1'] }),
      anInstanceType({ name: 'large', cpus: 8, zones: ['test-zone-2'] }),
    ];
    const pending = [aPod(requesting({ cpuMillis: 4000 }), inZone('test-zone-1'))];
    expect(validatedPlan(aSnapshot({ pending, instanceTypes })).rejections).toHaveLength(1);
  });
});

describe('a pool', () => {
  const tiered = (): InstanceType => {
    const type = anInstanceType();
    const offerings = type.offerings.map((offering) => ({
      ...offering,
      requirements: new Map([...offering.requirements, ['tier', oneOf('tier', 'gold')]]),
    }));
    return { ...type, offerings };
  };

  test('buys an offering that asks for a label only where it gives that label to its nodes', () => {
    const nodesOf = (labels: Readonly<Record<string, string>>): number =>
      validatedPlan(aSnapshot({ pending: [aPod()], instanceTypes: [tiered()], nodePools: [aNodePool({ labels })] })).plannedNodes.length;
    expect([nodesOf({ tier: 'gold' }), nodesOf({ tier: 'silver' }), nodesOf({})]).toEqual([1, 0, 0]);
  });

  test('whose labels are not what it requires of them has no nodes', () => {
    const requirements = [{ key: 'team', operator: 'In' as const, values: ['red'] }];
    const nodesOf = (team: string): number =>
      validatedPlan(aSnapshot({ pending: [aPod()], nodePools: [aNodePool({ requirements, labels: { team } })] })).plannedNodes.length;
    expect([nodesOf('red'), nodesOf('blue')]).toEqual([1, 0]);
  });
});

describe('a claim', () => {
  const requirements = [{ key: 'team', operator: 'In' as const, values: ['red', 'blue'] }];
  const planned = (...traits: readonly PodTrait[]) =>
    validatedPlan(aSnapshot({ pending: [aPod(...traits)], nodePools: [aNodePool({ requirements })] })).plannedNodes[0];

  test('names its instance types, cheapest first, and every capacity type that one of them is sold as', () => {
    const own = new Map(planned(requesting({ cpuMillis: 3000 }))?.claim.spec.requirements.map(({ key, values }) => [key, values]));
    expect(own.get('node.kubernetes.io/instance-type')?.toSorted()).toEqual(['type-16', 'type-4', 'type-8']);
    expect(own.get('karpenter.sh/capacity-type')).toEqual(['on-demand', 'spot']);
  });

  test('has one value for each label that is not the cloud’s to choose, and its pool’s name', () => {
    expect(planned()?.claim.labels).toMatchObject({ team: 'blue', 'karpenter.sh/nodepool': 'default' });
    expect(planned(withNodeSelector({ team: 'red' }))?.claim.labels['team']).toBe('red');
  });

  test('says nothing of what a node gets by joining, though daemons that select it are counted', () => {
    const joined = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
    const daemonSets = [aDaemonSet('logs', requesting({ cpuMillis: 700 }), withNodeSelector(joined))];
    const [node] = validatedPlan(aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1500 }))], daemonSets })).plannedNodes;
    expect(node?.requests['cpu']).toBe(2200);
    const keys = node?.claim.spec.requirements.map(({ key }) => key) ?? [];
    expect(keys.filter((key) => key in joined || key === 'kubernetes.io/hostname')).toEqual([]);
  });
});

describe('preferences', () => {
  const toZone = (value: string) => ({ matchExpressions: [{ key: zone, operator: 'In' as const, values: [value] }] });
  const zoneOf = (pod: Pod, policy = defaultSchedulingPolicy) =>
    validatedPlan(aSnapshot({ pending: [pod] }), policy).plannedNodes[0]?.cheapest.offering.zone;

  test.each<[string, Pod, string]>([
    [
      'the heaviest that can be met counts',
      aPod(preferring(9, toZone('test-zone-3')), preferring(50, toZone('test-zone-2'))),
      'test-zone-2',
    ],
    [
      'one that cannot be met gives way to the next',
      aPod(preferring(9, toZone('test-zone-3')), preferring(50, toZone('mars'))),
      'test-zone-3',
    ],
    ['none of them keeps a pod from its place', aPod(preferring(50, toZone('mars'))), 'test-zone-1'],
    [
      'a required term that cannot be met gives way to the next',
      aPod(requiringAnyOf(toZone('mars'), toZone('test-zone-2')), preferring(50, toZone('test-zone-1'))),
      'test-zone-2',
    ],
  ])('%s', (_, pod, expected) => expect(zoneOf(pod)).toBe(expected));

  test('are not checked where the policy ignores them', () => {
    const wishful = aPod(preferring(50, toZone('test-zone-2')));
    expect(zoneOf(wishful)).toBe('test-zone-2');
    expect(zoneOf(wishful, { ...defaultSchedulingPolicy, preferences: 'Ignore' })).toBe('test-zone-1');
  });
});
