import { defaultSchedulingPolicy, explain } from '@karpenter/core';
import type { Plan, SchedulingPolicy } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import {
  aClaim,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  aStorage,
  aVolume,
  awayFrom,
  inNamespace,
  inZone,
  labelled,
  named,
  nextTo,
  pods,
  preferring,
  ratherAwayFrom,
  ratherNextTo,
  requesting,
  spreadOver,
  withClaims,
} from '../builders/index.ts';
import type { PodTrait, SnapshotOptions } from '../builders/index.ts';
import { hostname, ofWeb, small, web, zone, boundTo } from './testing/web-pods.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const hard = { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const };

/** Zone of each planned node, as its claim says it, and how many pods are for it. */
const zonesOf = ({ plannedNodes }: Plan): readonly (readonly [string, number])[] =>
  plannedNodes
    .map(({ claim, pods: own }): readonly [string, number] => {
      const said = claim.spec.requirements.filter(({ key }) => key === zone).flatMap(({ values = [] }) => values);
      return [said.length === 1 ? (said[0] ?? '') : 'any', own.length];
    })
    .sort();

const placed = ({ placements, plannedNodes }: Plan): number =>
  [...placements.values(), ...plannedNodes.map(({ pods: own }) => own)].flat().length;

interface Row {
  readonly name: string;
  readonly cluster: SnapshotOptions;
  /** Zone in the claim → pods, for each planned node. */
  readonly planned: readonly (readonly [string, number])[];
  readonly onNodes?: Readonly<Record<string, number>>;
  readonly rejected?: number;
}

const check = ({ cluster, planned, onNodes = {}, rejected = 0 }: Row): void => {
  const plan = validatedPlan(aSnapshot(cluster));
  expect(zonesOf(plan)).toEqual(planned);
  expect(Object.fromEntries([...plan.placements].map(([name, own]) => [name, own.length]))).toEqual(onNodes);
  expect(plan.rejections).toHaveLength(rejected);
};

describe('required pod anti-affinity', () => {
  test.each<Row>([
    {
      name: 'over hosts: one pod to a node',
      cluster: { pending: pods(3, web, small, awayFrom({ topologyKey: hostname, ...ofWeb })) },
      planned: [
        ['any', 1],
        ['any', 1],
        ['any', 1],
      ],
    },
    {
      name: 'over zones: one pod to a zone, each node held to its own, and no more than there are zones',
      cluster: { pending: pods(4, web, small, awayFrom({ topologyKey: zone, ...ofWeb })) },
      planned: [
        ['test-zone-1', 1],
        ['test-zone-2', 1],
        ['test-zone-3', 1],
      ],
      rejected: 1,
    },
    {
      name: 'binds both sides: a bound pod keeps away a pending one that asks for nothing',
      cluster: {
        pending: [aPod(web, small)],
        nodes: [aNode({ name: 'a', pods: [boundTo('a', labelled({ app: 'db' }), awayFrom({ topologyKey: hostname, ...ofWeb }))] })],
      },
      planned: [['any', 1]],
    },
    {
      name: 'binds both sides over zones as well',
      cluster: {
        pending: [aPod(web, small)],
        nodes: [
          aNode({ name: 'a', zone: 'test-zone-1', pods: [boundTo('a', awayFrom({ topologyKey: zone, ...ofWeb }))] }),
          aNode({ name: 'b', zone: 'test-zone-1' }),
          aNode({ name: 'c', zone: 'test-zone-2' }),
        ],
      },
      planned: [],
      onNodes: { c: 1 },
    },
    {
      name: 'of another namespace only where the term names it',
      cluster: {
        pending: [aPod(web, small, awayFrom({ topologyKey: hostname, ...ofWeb }))],
        nodes: [aNode({ name: 'a', pods: [boundTo('a', web, inNamespace('shop'))] })],
      },
      planned: [],
      onNodes: { a: 1 },
    },
    {
      name: 'of namespaces that a selector picks',
      cluster: {
        pending: [aPod(small, awayFrom({ topologyKey: hostname, ...ofWeb, namespaceSelector: { matchLabels: { tier: 'front' } } }))],
        nodes: [
          aNode({ name: 'a', pods: [boundTo('a', web, inNamespace('shop'))] }),
          aNode({ name: 'b', pods: [boundTo('b', web, inNamespace('back'))] }),
        ],
        namespaceLabels: new Map([['shop', { tier: 'front' }]]),
      },
      planned: [],
      onNodes: { b: 1 },
    },
    {
      name: 'with an empty namespace selector: of all namespaces',
      cluster: {
        pending: [aPod(small, awayFrom({ topologyKey: hostname, ...ofWeb, namespaceSelector: {} }))],
        nodes: [aNode({ name: 'a', pods: [boundTo('a', web, inNamespace('shop'))] })],
      },
      planned: [['any', 1]],
    },
    {
      name: 'an absent selector picks nobody, an empty one everybody',
      cluster: {
        pending: [
          aPod(named('nobody'), small, awayFrom({ topologyKey: hostname })),
          aPod(named('everybody'), awayFrom({ topologyKey: hostname, labelSelector: {} })),
        ],
        nodes: [aNode({ name: 'a', pods: [boundTo('a', labelled({ any: 'thing' }))] })],
      },
      planned: [['any', 1]],
      onNodes: { a: 1 },
    },
    {
      name: 'matchLabelKeys: only of the same revision',
      cluster: {
        pending: [
          aPod(web, labelled({ revision: '2' }), small, awayFrom({ topologyKey: hostname, ...ofWeb, matchLabelKeys: ['revision'] })),
        ],
        nodes: [aNode({ name: 'a', pods: [boundTo('a', web, labelled({ revision: '1' }))] })],
      },
      planned: [],
      onNodes: { a: 1 },
    },
    {
      name: 'mismatchLabelKeys: only of other tenants',
      cluster: {
        pending: [
          aPod(labelled({ tenant: 'x' }), small, awayFrom({ topologyKey: hostname, labelSelector: {}, mismatchLabelKeys: ['tenant'] })),
        ],
        nodes: [
          aNode({ name: 'a', pods: [boundTo('a', labelled({ tenant: 'y' }))] }),
          aNode({ name: 'b', pods: [boundTo('b', labelled({ tenant: 'x' }))] }),
        ],
      },
      planned: [],
      onNodes: { b: 1 },
    },
  ])('$name', check);

  test('what keeps a pod out is named', () => {
    const plan = validatedPlan(aSnapshot({ pending: pods(4, web, small, awayFrom({ topologyKey: zone, ...ofWeb })) }));
    expect(plan.rejections.map(explain)[0]).toContain(`pod anti-affinity over ${zone} leaves no domain`);
  });
});

describe('topology spread with DoNotSchedule', () => {
  const spread = spreadOver({ topologyKey: zone, ...hard, ...ofWeb });
  test.each<Row>([
    {
      name: 'over zones: as many in each, each node held to its zone',
      cluster: { pending: pods(6, web, small, spread) },
      planned: [
        ['test-zone-1', 2],
        ['test-zone-2', 2],
        ['test-zone-3', 2],
      ],
    },
    {
      name: 'over hosts: never more than maxSkew to a node, for an empty one can always be added',
      cluster: { pending: pods(4, web, small, spreadOver({ topologyKey: hostname, ...hard, maxSkew: 2, ...ofWeb })) },
      planned: [
        ['any', 2],
        ['any', 2],
      ],
    },
    {
      name: 'pods that are there count, and the emptiest zones are filled first',
      cluster: {
        pending: pods(2, web, small, spread),
        nodes: [aNode({ name: 'a', zone: 'test-zone-1', pods: [boundTo('a', web)] })],
      },
      planned: [
        ['test-zone-2', 1],
        ['test-zone-3', 1],
      ],
    },
    {
      name: 'a zone that the pod may not go to does not hold it back (nodeAffinityPolicy Honor)',
      cluster: { pending: pods(3, web, small, inZone('test-zone-1'), spread) },
      planned: [['test-zone-1', 3]],
    },
    {
      name: 'and does hold it back where the policy says Ignore',
      cluster: {
        pending: pods(
          3,
          web,
          small,
          inZone('test-zone-1'),
          spreadOver({ topologyKey: zone, ...hard, ...ofWeb, nodeAffinityPolicy: 'Ignore' }),
        ),
      },
      planned: [['test-zone-1', 1]],
      rejected: 2,
    },
    {
      name: 'fewer domains than minDomains: nothing counts as the least',
      cluster: {
        pending: pods(4, web, small, spreadOver({ topologyKey: zone, ...hard, ...ofWeb, minDomains: 4 })),
      },
      planned: [
        ['test-zone-1', 1],
        ['test-zone-2', 1],
        ['test-zone-3', 1],
      ],
      rejected: 1,
    },
    {
      name: 'any label of the NodePool can be the key, and the node gets the label',
      cluster: {
        pending: pods(4, web, small, spreadOver({ topologyKey: 'rack', ...hard, ...ofWeb })),
        nodePools: [aNodePool({ requirements: [{ key: 'rack', operator: 'In', values: ['a', 'b'] }] })],
      },
      planned: [
        ['any', 2],
        ['any', 2],
      ],
    },
    {
      name: 'a node without the label is no place for it',
      cluster: {
        pending: [aPod(web, small, spreadOver({ topologyKey: 'rack', ...hard, ...ofWeb }))],
        nodes: [aNode({ name: 'a' })],
      },
      planned: [],
      rejected: 1,
    },
    {
      name: 'a pool whose taints are not borne opens no domain (nodeTaintsPolicy Honor)',
      cluster: {
        pending: pods(3, web, small, spreadOver({ topologyKey: zone, ...hard, ...ofWeb, nodeTaintsPolicy: 'Honor' })),
        nodePools: [
          aNodePool({ name: 'open', requirements: [{ key: zone, operator: 'In', values: ['test-zone-1'] }] }),
          aNodePool({ name: 'closed', taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }),
        ],
      },
      planned: [['test-zone-1', 3]],
    },
    {
      name: 'matchLabelKeys: each revision is spread for itself',
      cluster: {
        pending: pods(
          3,
          web,
          labelled({ revision: '2' }),
          small,
          spreadOver({ topologyKey: zone, ...hard, ...ofWeb, matchLabelKeys: ['revision'] }),
        ),
        nodes: [
          aNode({
            name: 'a',
            zone: 'test-zone-1',
            pods: [boundTo('a', web, labelled({ revision: '1' })), boundTo('a', web, labelled({ revision: '1' }))],
          }),
        ],
      },
      planned: [
        ['test-zone-2', 1],
        ['test-zone-3', 1],
      ],
      onNodes: { a: 1 },
    },
  ])('$name', check);

  test('a zone where nothing can be bought and no node is does not hold the others back', () => {
    const offerings = ['test-zone-1', 'test-zone-2', 'test-zone-3'].map((each) => ({
      zone: each,
      capacityType: 'spot',
      pricePerHour: 1,
      isAvailable: each !== 'test-zone-3',
    }));
    const plan = validatedPlan(aSnapshot({ pending: pods(4, web, small, spread), instanceTypes: [anInstanceType({ offerings })] }));
    expect(placed(plan)).toBe(4);
  });

  test('pods of a node that is thought away count no more', () => {
    const nodes = [
      aNode({ name: 'a', zone: 'test-zone-1', pods: [boundTo('a', web, small, spread)] }),
      aNode({ name: 'b', zone: 'test-zone-2', pods: [boundTo('b', web, small, spread)] }),
      aNode({ name: 'c', zone: 'test-zone-1' }),
    ];
    const plan = validatedPlan(aSnapshot({ nodes }), { ...defaultSchedulingPolicy, without: new Set(['a']) });
    expect([...plan.placements.keys()]).toEqual(['c']);
  });
});

describe('required pod affinity', () => {
  test.each<Row>([
    {
      name: 'over zones: all where the pod is that is meant',
      cluster: {
        pending: pods(3, small, nextTo({ topologyKey: zone, ...ofWeb })),
        nodes: [
          aNode({ name: 'a', zone: 'test-zone-2', allocatable: { cpu: 200, memory: 1024 ** 3, pods: 2 }, pods: [boundTo('a', web)] }),
        ],
      },
      planned: [['test-zone-2', 2]],
      onNodes: { a: 1 },
    },
    {
      name: 'the first of its kind may start, the others follow to its host',
      cluster: { pending: pods(5, web, requesting({ cpuMillis: 1000 }), nextTo({ topologyKey: hostname, ...ofWeb })) },
      planned: [['any', 5]],
    },
    {
      name: 'they start where all of them have room',
      cluster: {
        pending: pods(3, web, requesting({ cpuMillis: 1000 }), nextTo({ topologyKey: hostname, ...ofWeb })),
        nodes: [aNode({ name: 'a', allocatable: { cpu: 1000, memory: 16 * 1024 ** 3, pods: 9 } }), aNode({ name: 'b' })],
      },
      planned: [],
      onNodes: { b: 3 },
    },
    {
      name: 'where no host has room for all, they start where most have room, not on a node with room for one',
      cluster: {
        pending: pods(5, web, requesting({ cpuMillis: 1000 }), nextTo({ topologyKey: hostname, ...ofWeb })),
        nodes: [aNode({ name: 'a', allocatable: { cpu: 1000, memory: 16 * 1024 ** 3, pods: 9 } })],
        instanceTypes: [anInstanceType({ cpus: 4, memoryBytes: 64 * 1024 ** 3 })],
      },
      planned: [['any', 3]],
      rejected: 2,
    },
    {
      name: 'nobody starts a kind that it is not of',
      cluster: { pending: [aPod(small, nextTo({ topologyKey: zone, ...ofWeb }))] },
      planned: [],
      rejected: 1,
    },
    {
      name: 'a pod waits for another that is smaller, and so comes later',
      cluster: { pending: [aPod(requesting({ cpuMillis: 900 }), nextTo({ topologyKey: hostname, ...ofWeb })), aPod(web, small)] },
      planned: [['any', 2]],
    },
  ])('$name', check);
});

describe('preferences', () => {
  const cluster = ratherAwayFrom(10, { topologyKey: hostname, ...ofWeb });
  const soft = spreadOver({ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', ...ofWeb });
  const ignoring: SchedulingPolicy = { ...defaultSchedulingPolicy, preferences: 'Ignore' };

  test('preferred anti-affinity is kept while it can be, and never costs a pod its place', () => {
    const limited = aSnapshot({ pending: pods(3, web, small, cluster), nodePools: [aNodePool({ limits: { nodes: '2' } })] });
    expect(zonesOf(validatedPlan(limited)).map(([, count]) => count)).toEqual([1, 2]);
    expect(validatedPlan(limited, ignoring).plannedNodes).toHaveLength(1);
  });

  test('preferred affinity is kept while it can be', () => {
    const nodes = [aNode({ name: 'a' }), aNode({ name: 'b', pods: [boundTo('b', web)] })];
    const pending = [aPod(small, ratherNextTo(1, { topologyKey: hostname, ...ofWeb }))];
    expect([...validatedPlan(aSnapshot({ pending, nodes })).placements.keys()]).toEqual(['b']);
    expect([...validatedPlan(aSnapshot({ pending, nodes }), ignoring).placements.keys()]).toEqual(['a']);
    expect([...validatedPlan(aSnapshot({ pending, nodes: [aNode({ name: 'a' })] })).placements.keys()]).toEqual(['a']);
  });

  test('ScheduleAnyway spreads while it can, and gives way where it cannot', () => {
    const free = aSnapshot({ pending: pods(3, web, small, soft) });
    expect(zonesOf(validatedPlan(free)).map(([, count]) => count)).toEqual([1, 1, 1]);
    expect(validatedPlan(free, ignoring).plannedNodes).toHaveLength(1);
    const tied = aSnapshot({ pending: pods(3, web, small, soft), nodePools: [aNodePool({ limits: { nodes: '1' } })] });
    expect(placed(validatedPlan(tied))).toBe(3);
  });

  test('a preference that can be had is kept although a heavier one of the same pod cannot', () => {
    const apart = [ratherAwayFrom(10, { topologyKey: zone, ...ofWeb }), ratherAwayFrom(1, { topologyKey: hostname, ...ofWeb })];
    const plan = validatedPlan(aSnapshot({ pending: pods(12, web, small, ...apart) }));
    expect(plan.plannedNodes.map(({ pods: there }) => there.length)).toEqual(Array.from({ length: 12 }, () => 1));
    expect(new Set(plan.plannedNodes.map(({ cheapest: { offering } }) => offering.zone)).size).toBe(3);
  });

  test('Weigh honours a preference that costs at most its price, and the plan names the others with their cost', () => {
    const weighing: SchedulingPolicy = { ...defaultSchedulingPolicy, preferences: 'Weigh' };
    const replicas = aSnapshot({ pending: pods(30, web, small, ratherAwayFrom(100, { topologyKey: hostname, ...ofWeb })) });
    const thrifty = validatedPlan(replicas, weighing);
    const lavish = validatedPlan(replicas, { ...weighing, preferencePricePerHour: 1000 });
    expect(thrifty.pricePerHour).toBeCloseTo(validatedPlan(replicas, ignoring).pricePerHour, 9);
    const relaxed = thrifty.relaxed?.flatMap((each) => each.relaxed) ?? [];
    expect(relaxed).toMatchObject([{ kind: 'pod-anti-affinity', index: 0, weight: 100, topologyKey: hostname }]);
    expect(relaxed.every(({ costPerHour = 0 }) => costPerHour > 0.01)).toBe(true);
    expect(lavish.plannedNodes).toHaveLength(30);
    expect(lavish.relaxed).toBeUndefined();
  });

  test('Weigh takes what costs nothing: room on a node that is there', () => {
    const weighing: SchedulingPolicy = { ...defaultSchedulingPolicy, preferences: 'Weigh', preferencePricePerHour: 0 };
    const nodes = [aNode({ name: 'a', pods: [boundTo('a', web)] }), aNode({ name: 'b' })];
    const pending = [aPod(web, small, cluster)];
    expect([...validatedPlan(aSnapshot({ pending, nodes }), weighing).placements.keys()]).toEqual(['b']);
  });

  test('preferences that no node meets, and more than are kept, are named in the plan', () => {
    const nowhere = preferring(7, { matchExpressions: [{ key: zone, operator: 'In' as const, values: ['mars'] }] });
    const preferences = Array.from({ length: 20 }, (_, index) => ratherAwayFrom(10 + index, { topologyKey: `key-${index}`, ...ofWeb }));
    const [one, many] = [[nowhere], preferences].map(
      (traits) => validatedPlan(aSnapshot({ pending: [aPod(web, small, ...traits)] })).relaxed,
    );
    expect(one).toMatchObject([{ pods: [{}], cutCount: 0, relaxed: [{ kind: 'node-affinity', weight: 7, index: 0, podCount: 1 }] }]);
    expect(one?.[0]?.relaxed[0]).not.toHaveProperty('costPerHour');
    expect(many).toMatchObject([{ cutCount: 4, relaxed: [] }]);
  });

  test('of more preferences than are kept, the heaviest count', () => {
    const preferences = Array.from({ length: 40 }, (_, index) => ratherAwayFrom(1 + index, { topologyKey: `key-${index}`, ...ofWeb }));
    const here = { matchExpressions: [{ key: zone, operator: 'In' as const, values: ['test-zone-2'] }] };
    const zoneWith = (weight: number): string | undefined =>
      validatedPlan(aSnapshot({ pending: [aPod(web, small, preferring(weight, here), ...preferences)] })).plannedNodes[0]?.cheapest.offering
        .zone;
    expect([zoneWith(1), zoneWith(100)]).toEqual(['test-zone-1', 'test-zone-2']);
  });

  const near = (app: string, weight: number): PodTrait =>
    ratherNextTo(weight, { topologyKey: hostname, labelSelector: { matchLabels: { app } } });

  test.each([
    ['the light one', [near('light', 1), near('heavy', 50)]],
    ['the heavy one', [near('heavy', 50), near('light', 1)]],
  ])('the lightest preference of a kind is relaxed first, even where %s is named first', (_, preferences) => {
    const pod = aPod(small, ...preferences);
    const nodes = ['light', 'heavy'].map((app) => aNode({ name: app, pods: [boundTo(app, labelled({ app }))] }));
    expect([...validatedPlan(aSnapshot({ pending: [pod], nodes })).placements.keys()]).toEqual(['heavy']);
  });
});

describe('hazards of the original that are not copied', () => {
  const frozen = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
    Object.freeze(value);
    Object.values(value).forEach(frozen);
    return value;
  };

  test('matchLabelKeys does not change the selector of the pod, and asking twice gives one answer', () => {
    const pending = frozen(
      pods(3, web, labelled({ revision: '2' }), small, spreadOver({ topologyKey: zone, ...hard, ...ofWeb, matchLabelKeys: ['revision'] })),
    );
    const snapshot = aSnapshot({ pending });
    expect(zonesOf(validatedPlan(snapshot))).toEqual(zonesOf(validatedPlan(snapshot)));
  });

  test('constraints that differ in minDomains alone are distinguished', () => {
    const [one, four] = [1, 4].map((minDomains) => spreadOver({ topologyKey: zone, ...hard, ...ofWeb, minDomains }));
    const nodes = ['test-zone-1', 'test-zone-2', 'test-zone-3'].map((each) =>
      aNode({ name: each, zone: each, pods: [boundTo(each, web)] }),
    );
    const pending = [
      aPod(named('free'), web, small, ...(one === undefined ? [] : [one])),
      aPod(named('bound'), web, small, ...(four === undefined ? [] : [four])),
    ];
    const plan = validatedPlan(aSnapshot({ pending, nodes }));
    expect(plan.rejections.map(({ pod }) => pod.metadata.name)).toEqual(['bound']);
  });

  test('minDomains count all zones of the pods, also for a pod whose volume is in one', () => {
    const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
    const evenly = spreadOver({ topologyKey: zone, ...hard, ...ofWeb, minDomains: 3 });
    const nodes = zones.map((each) => aNode({ name: each, zone: each, pods: [boundTo(each, web, evenly)] }));
    const storage = aStorage({ claims: [aClaim('data', { volumeName: 'disk' })], volumes: [aVolume('disk', { zones: ['test-zone-1'] })] });
    const plan = validatedPlan(aSnapshot({ pending: [aPod(web, small, evenly, withClaims('data'))], nodes, storage }));
    expect([plan.rejections, [...plan.placements.keys()], zonesOf(plan)]).toEqual([[], ['test-zone-1'], []]);
  });

  test('domains with one count are taken by price, then by name, not by the order of a map', () => {
    const zones = ['test-zone-3', 'test-zone-1', 'test-zone-2'];
    const plans = [zones, zones.toReversed()].map((each) =>
      validatedPlan(
        aSnapshot({
          pending: [aPod(web, small, spreadOver({ topologyKey: zone, ...hard, ...ofWeb }))],
          instanceTypes: [anInstanceType({ zones: each })],
        }),
      ),
    );
    expect(plans.map(zonesOf)).toEqual([[['test-zone-1', 1]], [['test-zone-1', 1]]]);
  });
});
