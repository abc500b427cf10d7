import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { addBit, emptyBitSet, finish } from '../../base/index.ts';
import type { Affinity, Pod, PodSpec } from '../../kube/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import type { Improve } from '../packing/repacking.ts';
import { openNewNode } from '../nodes/new-nodes/new-node.ts';
import type { IncomingPod, NewNode } from '../nodes/new-nodes/new-node.ts';
import type { NodeTemplate } from '../nodes/node-model.ts';
import type { PodSet } from '../pod-classes/pod-class.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import { aClass, aPodSet, termIn } from '../testing/a-class.ts';
import { aQuestion, aRoomyNode, outcomeOf } from '../testing/a-solution.ts';
import type { Outcome, SolveOptions } from '../testing/a-solution.ts';
import { aTemplate } from '../testing/a-template.ts';
import type { Topology } from '../topology/topology.ts';
import { isSearched, searchingPlan } from './plan-search.ts';
import type { SearchStart } from './plan-search.ts';
import { solvingAfresh } from './solve-retries.ts';
import type { Places, Question, Solution } from './solve.ts';

const machine = (cpus: number, pricePerHour = cpus) => ({ cpus, memoryBytes: 2 ** 36, pricePerHour });
const [first, second] = ['machine-00', 'machine-01'];

const equalPods = (count: number, cpu: string, spec: Partial<PodSpec> = {}): readonly Pod[] =>
  Array.from({ length: count }, (_, index) =>
    aPodRequesting({ cpu }, `${cpu}-${index}`, { metadata: { labels: { app: 'web' } }, spec: { ...spec } }),
  );

interface SearchOptions extends SolveOptions, Partial<Pick<SearchStart, 'isPackedOnly'>> {
  readonly improve?: Improve;
  /** How much the first fit searched for devices. */
  readonly deviceWork?: number;
  readonly asked?: (question: Question) => Question;
  readonly within?: (places: Places) => Places;
}

interface Search {
  readonly outcome: Outcome;
  readonly newNodes: readonly NewNode[];
  /** How often all pods were placed after the first fit. */
  readonly solves: number;
  /** The solutions that were packed, that of first fit first. */
  readonly packed: readonly Solution[];
  /** For each solve after the first fit, the first pods of the pod sets in the order in which nodes were tried for them. */
  readonly orders: readonly string[];
  /** The first pod of each pod set that has pods left over in the end. */
  readonly left: readonly string[];
}

const firstOf = ({ pods: [first] }: Pick<PodSet, 'pods'>): string => first?.metadata.name ?? '';

/** The places, where each solve adds the order in which it tries nodes for pod sets. */
const watched = (places: Places, podSets: readonly PodSet[], orders: string[][]): Places => {
  const existing = new Proxy(places.existing, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === 'rollBack') orders.push([]);
        const { podClass } = (given[0] ?? {}) as Partial<IncomingPod>;
        const name = firstOf(podSets.find((podSet) => podSet.podClass === podClass) ?? { pods: [] });
        if (key === 'place' && orders.at(-1)?.at(-1) !== name) orders.at(-1)?.push(name);
        return Reflect.apply(value, target, given);
      };
    },
  });
  return { ...places, existing };
};

const searched = (pods: readonly Pod[], options: SearchOptions): Search => {
  const { improve, deviceWork, isPackedOnly, asked = (each: Question) => each, within = (each: Places) => each, ...solve } = options;
  const made = aQuestion(pods, solve);
  const orders: string[][] = [];
  const places = watched(within(made.places), made.question.podSets, orders);
  let solves = 0;
  // Each solve reads once which nodes are closed.
  const closed: Iterable<string> = {
    [Symbol.iterator]: () => {
      solves++;
      return [][Symbol.iterator]();
    },
  };
  const question = asked({ ...made.question, closed });
  const solved = finish(solvingAfresh(places, question));
  solves = 0;
  orders.length = 0;
  const packed: Solution[] = [];
  const start: SearchStart = {
    first: deviceWork === undefined ? solved : { ...solved, deviceWork },
    *improve(solution) {
      packed.push(solution);
      return improve === undefined ? solution.newNodes : yield* improve(solution);
    },
    isPackedOnly,
  };
  const { solution, newNodes } = finish(searchingPlan(places, question, start));
  const left = solution.unplaced.map(({ podSet }) => firstOf(podSet));
  const outcome = outcomeOf(places, { ...solution, newNodes });
  return { outcome, newNodes, solves, packed, left, orders: orders.map((order) => order.join(' ')) };
};

/** Machines with which first fit has two pods of 1,500m share a node of 10 dollars; apart they cost 2. */
const uneven = [machine(2, 1), machine(8, 10)];
const pair = equalPods(2, '1500m');
const [together, apart] = [
  [[second, 2]],
  [
    [first, 1],
    [first, 1],
  ],
];

describe('plans that are searched', () => {
  test('are those of up to 150 pods', () => {
    const setOf = (count: number) => aPodSet(aClass(1), ...Array.from({ length: count }, (_, index) => `p${index}`));
    expect([isSearched({ podSets: [setOf(100), setOf(50)] }), isSearched({ podSets: [setOf(100), setOf(51)] })]).toEqual([true, false]);
  });

  test('end with a cheaper plan than first fit', () => {
    const { outcome, solves } = searched(pair, { machines: uneven });
    expect(outcome).toEqual({ onNodes: {}, planned: apart, unplaced: 0 });
    expect(solves).toBeGreaterThan(1);
  });

  test.each<[string, readonly Pod[], SearchOptions]>([
    ['only packing is wanted', pair, { machines: uneven, isPackedOnly: true }],
    ['there are more pods', equalPods(151, '1500m'), { machines: uneven }],
    ['all pods go on nodes that are there', pair, { nodes: [aRoomyNode('a', 4)], machines: uneven }],
    ['the search for devices takes too long', pair, { machines: uneven, deviceWork: 4 * (12_000 - 20 - 2) + 4 }],
  ])('when %s › first fit is packed, and nothing else is tried', (_, pods, options) => {
    const { solves, packed, outcome } = searched(pods, options);
    expect([solves, packed.length]).toEqual([0, 1]);
    expect(outcome.unplaced).toBe(0);
  });

  test('when a search for devices leaves time for one variant › that is tried', () => {
    expect(searched(pair, { machines: uneven, deviceWork: 4 * (12_000 - 20 - 2) }).solves).toBe(2);
  });

  test('when there are new nodes and no pod is left over, or the other way round › there is a search', () => {
    expect(searched(pair, { machines: uneven }).solves).toBeGreaterThan(1);
    const limited = searched(equalPods(3, '3'), { nodes: [aRoomyNode('a', 4)] });
    expect([limited.solves > 1, limited.outcome.unplaced]).toEqual([true, 2]);
  });

  test('when the time is up › no variant is tried, and a plan that was found stays whole', () => {
    const within = (most: number) => {
      let reads = 0;
      return { machines: uneven, shouldStop: () => ++reads > most };
    };
    const { solves, outcome } = searched(pair, within(1));
    expect([solves, outcome]).toEqual([0, { onNodes: {}, planned: together, unplaced: 0 }]);
    const { solves: enough } = searched(pair, { machines: uneven });
    for (let most = 2; most < 3 * enough; most++) expect([most, searched(pair, within(most)).outcome.unplaced]).toEqual([most, 0]);
    expect(searched(pair, within(2)).solves).toBe(1);
  });
});

describe('pods that no node could take', () => {
  const broken = { topologyKey: labels.zone, maxSkew: 1, minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} } as const;
  const nowhere = (count: number) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: Array.from({ length: count }, (_, index) => ({
          matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: [`nowhere-${index}`] }],
        })),
      },
    },
  });
  const hopeless: readonly (readonly [string, readonly Pod[]])[] = [
    ['they are too large', equalPods(2, '100')],
    ['they are malformed', equalPods(2, '100m', { topologySpreadConstraints: [broken] })],
    ['they ask for a resource that nothing has', [aPodRequesting({ cpu: '100m', 'example.com/none': '1' }, 'none')]],
    ['none of 16 alternatives can be met', equalPods(2, '100m', { affinity: nowhere(16) })],
  ];

  test.each(hopeless)('when %s › no variant has them, and they are left over', (_, pods) => {
    const beside = searched([...pods, ...pair], { machines: uneven });
    expect(beside.outcome).toEqual({ onNodes: {}, planned: apart, unplaced: pods.length });
    expect(
      beside.packed
        .slice(1)
        .flatMap(({ order }) => order)
        .some(({ pods: all }) => all.some((pod) => pods.includes(pod))),
    ).toBe(false);
    const alone = searched(pods, { nodes: [aRoomyNode('a', 4)] });
    expect([alone.solves, alone.outcome.unplaced]).toEqual([1, pods.length]);
  });

  test('when they have more than 16 alternatives › they are not judged, and take part', () => {
    expect(searched(equalPods(2, '100m', { affinity: nowhere(17) }), { nodes: [aRoomyNode('a', 4)] }).solves).toBeGreaterThan(1);
  });

  test('when the room of a pod is taken, or one of its alternatives could be met › it is none of them', () => {
    const low = equalPods(1, '3', { priority: 0 });
    const high = equalPods(1, '2', { priority: 10 });
    expect(searched([...low, ...high], { nodes: [aRoomyNode('a', 4)] }).packed.length).toBeGreaterThan(1);
    const zones = nowhere(2).nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
    const here = { matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: ['z1'] }] };
    const affinity: Affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [...zones, here] } },
    };
    expect(searched([...low, ...equalPods(1, '2', { affinity })], { nodes: [aRoomyNode('a', 4)] }).solves).toBeGreaterThan(1);
  });
});

describe('a variant is better', () => {
  test('if it has a place for a pod of higher priority, whatever that costs', () => {
    const pods = [...equalPods(1, '3', { priority: 0 }), ...equalPods(1, '2', { priority: 10 })];
    const there = searched(pods, { nodes: [aRoomyNode('a', 4)] });
    expect([there.outcome, there.left]).toEqual([{ onNodes: { a: 1 }, planned: [], unplaced: 1 }, ['3-0']]);
    const planned = searched(pods, { machines: [machine(3, 1), machine(2, 9)], pool: { limits: { nodes: '1' } } });
    expect(planned.left).toEqual(['3-0']);
  });

  test('if it costs less, and pods lack no more of what they prefer', () => {
    const term = { topologyKey: labels.hostname, labelSelector: { matchLabels: { app: 'web' } } };
    const affinity: Affinity = {
      podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm: term }] },
    };
    const pods = equalPods(2, '1500m', { affinity });
    expect(searched(pods, { machines: uneven }).outcome.planned).toEqual(together);
    expect(searched(pods, { machines: uneven, policy: { preferences: 'Ignore' } }).outcome.planned).toEqual(apart);
  });

  test('if it tears no group of pods that must all have a place', () => {
    const asked = (question: Question): Question => ({ ...question, tearsGroup: () => true });
    expect(searched(pair, { machines: uneven, asked }).outcome.planned).toEqual(together);
  });

  const prices = [1, 2, 2.004, 3];
  const machines = prices.map((price) => machine(4, price));
  const sold = aTemplate(machines);
  const avoided: NodeTemplate = { ...sold, pool: { ...sold.pool, isAvoided: true } };
  const alike: NodeTemplate = { ...avoided, pool: { ...avoided.pool } };
  const varied = aTemplate(
    machines,
    { requirements: [{ key: labels.instanceType, operator: 'Exists', minValues: 3 }] },
    { ...defaultSchedulingPolicy, minValues: 'BestEffort' },
  );
  interface NodeOptions {
    readonly template?: NodeTemplate;
    readonly podCount?: number;
    /** How many types it keeps to; default: all. */
    readonly types?: number;
  }
  /** A node of the type. */
  const nodeOf = (type: number, { template = sold, podCount = 1, types = prices.length }: NodeOptions = {}): NewNode => {
    const kept = emptyBitSet(prices.length);
    for (let each = 0; each < types; each++) addBit(kept, each);
    const made =
      template.initial && openNewNode(template.initial, { podClass: aClass(1000), term: termIn() }, { id: `${types}:`, types: kept });
    if (made === undefined) throw new Error('the template makes a node');
    const offering = template.catalog.offerings.findIndex(({ pricePerHour }) => pricePerHour === prices[type]);
    return { ...made, podCount, fit: { ...made.fit, state: { ...made.fit.state, template }, cheapest: { type, offering } } };
  };
  const within = (places: Places): Places => ({ ...places, templates: [...places.templates, sold, avoided, alike] });
  /** Whether packing that makes these nodes of a variant is better than packing that makes those of first fit. */
  const isBetter = (variant: readonly NewNode[], than: readonly NewNode[]): boolean => {
    let calls = 0;
    const improve: Improve = function* () {
      yield;
      return calls++ === 0 ? than : variant;
    };
    return searched(equalPods(1, '1'), { machines: [machine(2)], improve, within }).newNodes === variant;
  };
  const crowd = { template: avoided, podCount: 2 };

  test.each<[string, readonly [variant: readonly NewNode[], than: readonly NewNode[]], boolean]>([
    ['it costs less', [[nodeOf(1)], [nodeOf(3)]], true],
    ['it costs the same', [[nodeOf(1)], [nodeOf(1)]], false],
    ['it costs more', [[nodeOf(3)], [nodeOf(1)]], false],
    ['it has fewer nodes for the same price', [[nodeOf(1)], [nodeOf(0), nodeOf(0)]], true],
    ['it has fewer nodes for a higher price', [[nodeOf(2)], [nodeOf(0), nodeOf(0)]], false],
    ['more pods are in a pool that should be avoided', [[nodeOf(0, { template: avoided })], [nodeOf(1)]], false],
    ['as many pods are in such a pool', [[nodeOf(0, { template: avoided })], [nodeOf(1, { template: avoided })]], true],
    ['as many pods are in another such pool', [[nodeOf(0, { template: alike })], [nodeOf(1, { template: avoided })]], true],
    ['fewer nodes are in such a pool, with more pods', [[nodeOf(0, crowd)], [nodeOf(1, { template: avoided })]], false],
    ['it keeps as many types as minValues prefer', [[nodeOf(0, { template: varied })], [nodeOf(1, { template: varied })]], true],
    ['it keeps fewer types than minValues prefer', [[nodeOf(0, { template: varied, types: 2 })], [nodeOf(1, { template: varied })]], false],
    [
      'it keeps fewer for one pod instead of one less for two',
      [[nodeOf(0, { template: varied, types: 1 })], [nodeOf(1, { template: varied, types: 2, podCount: 2 })]],
      true,
    ],
  ])('than another: %s', (_, [variant, than], expected) => expect(isBetter(variant, than)).toBe(expected));
});

describe('virtual pods of buffers', () => {
  test('stay last in every variant, and are no pods that are left over', () => {
    const asked = (question: Question): Question => ({
      ...question,
      podSets: question.podSets.map((podSet, index) => (index === 0 ? podSet : { ...podSet, isBuffer: true as const })),
    });
    const pods = [...pair, ...equalPods(2, '100m')];
    const { packed, outcome } = searched(pods, { machines: uneven, asked });
    expect(packed.length).toBeGreaterThan(1);
    expect(packed.every(({ order }) => order.at(-1)?.isBuffer)).toBe(true);
    expect(packed.map(({ order }) => order.flatMap((podSet) => podSet.pods).length)).toEqual(packed.map(() => pods.length));
    expect(outcome.unplaced).toBe(0);
    const full = searched([...equalPods(1, '3'), ...equalPods(2, '1')], { nodes: [aRoomyNode('a', 4)], asked });
    expect([full.solves, full.outcome.unplaced]).toEqual([0, 1]);
  });

  test('are left over beside pods like them that no node could take', () => {
    const doubled = (question: Question): Question => ({
      ...question,
      podSets: question.podSets.flatMap((podSet) => [podSet, { ...podSet, isBuffer: true as const }]),
    });
    expect(searched(equalPods(2, '100'), { nodes: [aRoomyNode('a', 4)], asked: doubled }).outcome.unplaced).toBe(4);
  });
});

describe('how much is tried', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({ ...machine(16, 1 + index), zones: ['z1', 'z2', 'z3'] }));
  const spread = { topologyKey: labels.zone, maxSkew: 5, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} } as const;
  const classes = Array.from({ length: 13 }, (_, index) =>
    equalPods(10, `${100 + index}m`, index === 0 ? { topologySpreadConstraints: [spread] } : {}),
  );

  test('each variant counts as 20 pods more, and in the last search by half of the types too', () => {
    const { solves } = searched(classes.flat(), { machines: hundred });
    expect(solves).toBe(12_000 / 150 + 3000 / 200 + 1);
  });

  test('each packing counts as 20 pods more, all of them times the types; pods that no node could take do not count', () => {
    expect(searched(classes.flat(), { machines: hundred }).packed).toHaveLength(1 + 300_000 / (100 * 150));
    const beside = [...classes.flat(), ...equalPods(20, '100')];
    expect(searched(beside, { machines: hundred }).packed).toHaveLength(1 + 300_000 / (100 * 150));
  });

  test('a variant that costs much more is not packed', () => {
    const pods = equalPods(4, '1500m');
    const { packed } = searched(pods, { machines: [machine(2, 10), machine(8, 1)] });
    expect(packed.some(({ newNodes }) => newNodes.length > 1)).toBe(false);
  });
});

describe('changes after which another one helps', () => {
  const both = [...equalPods(1, '2'), ...equalPods(1, '1')];
  const made = (count: number): readonly NewNode[] =>
    searched(equalPods(count, '1500m'), { machines: [machine(2, 1)], isPackedOnly: true }).newNodes;
  const [three, two, one] = [made(3), made(2), made(1)];
  const orderOf = ({ order }: Solution): string => order.map(firstOf).join(' ');

  test('a cheaper plan that one search finds is kept, though the other search does not find it', () => {
    const improve: Improve = function* (solution) {
      yield;
      return orderOf(solution) === '1-0 2-0' ? one : three;
    };
    expect(searched(both, { machines: [machine(2), machine(4)], improve }).newNodes).toBe(one);
  });

  test('what was tried before is tried again from a better plan', () => {
    const spread = { topologyKey: labels.zone, maxSkew: 5, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} } as const;
    const pods = [...equalPods(1, '2', { topologySpreadConstraints: [spread] }), ...equalPods(1, '1')];
    let topology: Topology | undefined;
    const within = (places: Places): Places => {
      topology = places.withTopology?.topology;
      return places;
    };
    const improve: Improve = function* (solution) {
      yield;
      if (orderOf(solution) !== '1-0 2-0') return three;
      return topology?.domains.order === 'cheapest' ? one : two;
    };
    const deviceWork = 4 * 980;
    expect(searched(pods, { machines: [machine(2), machine(4)], improve, within, deviceWork }).newNodes).toBe(one);
  });
});

describe('a cheap variant that leaves pods over', () => {
  const pods = [...equalPods(1, '5'), ...equalPods(1, '4'), ...equalPods(1, '1')];
  const limited = { machines: [machine(4, 1), machine(16, 5)], pool: { limits: { nodes: '1' } } };

  test('is tried once more with those first', () => {
    const { orders, outcome } = searched(pods, limited);
    expect(outcome.planned).toEqual([[second, 3]]);
    // Once without the large machine, and once with machines up to the size of the other.
    expect(orders.filter((order) => order === '5-0 1-0 4-0')).toHaveLength(2);
  });

  test('comes before others that leave as many over and cost more', () => {
    const four = [...equalPods(1, '5'), ...equalPods(1, '4'), ...equalPods(1, '2'), ...equalPods(1, '1')];
    const { orders } = searched(four, { ...limited, machines: [machine(2, 0.5), machine(4, 1), machine(16, 5)] });
    const [tiny, small] = ['5-0 4-0 1-0 2-0', '5-0 2-0 1-0 4-0'].map((order) => orders.indexOf(order));
    expect([tiny !== -1, small !== -1, Number(tiny) < Number(small)]).toEqual([true, true, true]);
  });

  test('is not if it costs as much as the plan', () => {
    const { orders } = searched(pods, { ...limited, machines: [machine(4, 5), machine(16, 5)] });
    expect(orders).not.toContain('5-0 1-0 4-0');
  });
});
