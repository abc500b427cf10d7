import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import { HOST } from '../topology/domain-table.ts';
import type { Checks, Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import { addInState, openNewNode } from '../nodes/new-nodes/new-node.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { Question, Solution } from '../solve/solve.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import { aState } from '../testing/a-template.ts';
import { improver } from './repacking.ts';
import { anywhere } from './testing/a-pod-batch.ts';
import { priceOf } from './unit-prices.ts';

const GIB = 2 ** 30;

const machineSize = (cpus: number, pricePerHour: number) => ({ cpus, memoryBytes: 4 * cpus * GIB, pricePerHour });
/** The larger, the cheaper each cpu. */
const machines = [machineSize(4, 0.4), machineSize(8, 0.7), machineSize(16, 1.2)];

let classes = 0;
const sizedClass = (cpuMillis: number, rest: Partial<PodClass> = {}): PodClass =>
  ({
    id: classes++,
    equalTerms: new Map<NodeTerm, readonly NodeTerm[]>(),
    resourceIds: Int32Array.of(0, 1, 2),
    amounts: Float64Array.of(cpuMillis, GIB, 1),
    ...rest,
  }) as Partial<PodClass> as PodClass;

/** A node with so many pods of the class, as first-fit opens and fills it. */
const filledNode = (
  start: NodeState,
  podClass: PodClass,
  { count = 1, term = anywhere, checks }: { readonly count?: number; readonly term?: NodeTerm; readonly checks?: Checks } = {},
): NewNode => {
  const incoming = { podClass, term, checks };
  const newNode = openNewNode(start, incoming, start.template.everyType);
  if (newNode === undefined) throw new Error('The pod fits no machine');
  for (let pods = 1; pods < count; pods++) if (!addInState(newNode, incoming, start)) throw new Error('The node is full');
  return newNode;
};

const nodesWith = (start: NodeState, podClass: PodClass, nodes: number): readonly NewNode[] =>
  Array.from({ length: nodes }, () => filledNode(start, podClass));

/** All nodes are in one domain. */
const topology = { signatureOf: () => 'z1', domains: { keys: [] } } as unknown as Topology;

/** Improves nodes that were planned for the pools of these templates, and counts the questions whether to stop. */
const improving = (templates: readonly NodeTemplate[], { isSearched = false, isOutOfOrder = false } = {}) => {
  const asked = { count: 0, stopAfter: Number.POSITIVE_INFINITY };
  const shouldStop = (): boolean => ++asked.count > asked.stopAfter;
  const question = { podSets: [], gone: [], shouldStop } as Partial<Question> as Question;
  const improve = improver(question, topology, isSearched);
  const ledgers = new Map(templates.map((template) => [template, {}])) as unknown as Solution['ledgers'];
  return {
    asked,
    improve: (newNodes: readonly NewNode[]): readonly NewNode[] => {
      asked.count = 0;
      return finish(improve({ newNodes, ledgers, isOutOfOrder } as Partial<Solution> as Solution));
    },
  };
};

const improved = (start: NodeState, newNodes: readonly NewNode[]): readonly NewNode[] => improving([start.template]).improve(newNodes);

const podsOn = (newNodes: readonly NewNode[]): number => newNodes.reduce((sum, { podCount }) => sum + podCount, 0);
const price = (newNodes: readonly NewNode[]): number => newNodes.reduce((sum, { fit }) => sum + priceOf(fit), 0);
const cpusOf = (newNodes: readonly NewNode[]): readonly number[] =>
  newNodes.map(({ fit }) => (fit.state.template.catalog.types[fit.cheapest.type]?.capacity['cpu'] ?? 0) / 1000).sort((a, b) => a - b);

describe('the nodes of a plan', () => {
  test('become cheaper ones with the same pods', () => {
    const start = aState(machines);
    const podClass = sizedClass(4000);
    const after = improved(start, nodesWith(start, podClass, 9));
    expect(podsOn(after)).toBe(9);
    expect(after.every(({ runs }) => runs.every((run) => run.podClass === podClass))).toBe(true);
    expect(cpusOf(after)).toEqual([4, 16, 16]);
    expect(price(after)).toBeCloseTo(2.8, 9);
  });

  test('stay as they are where nothing is cheaper', () => {
    const start = aState(machines);
    const full = filledNode(start, sizedClass(4000), { count: 4 });
    expect(improved(start, [full])).toEqual([full]);
    expect(improved(start, [full])[0]).toBe(full);
  });

  test('are not fewer for a higher price, unless a node has a price of its own', () => {
    const largeIsDearer = [machineSize(4, 0.1), machineSize(8, 0.203)];
    const start = aState(largeIsDearer);
    const pair = nodesWith(start, sizedClass(4000), 2);
    expect(improved(start, pair)).toEqual(pair);
    const priced = aState(largeIsDearer, {}, { ...defaultSchedulingPolicy, nodePricePerHour: 0.01 });
    expect(cpusOf(improved(priced, nodesWith(priced, sizedClass(4000), 2)))).toEqual([8]);
    const cheaper = aState([machineSize(4, 0.1), machineSize(8, 0.2)]);
    expect(cpusOf(improved(cheaper, nodesWith(cheaper, sizedClass(4000), 2)))).toEqual([8]);
  });

  test('stay as they are once time is up', () => {
    const start = aState(machines);
    const before = nodesWith(start, sizedClass(4000), 4);
    const { asked, improve } = improving([start.template]);
    asked.stopAfter = 0;
    expect(improve(before)).toEqual(before);
  });

  test('stay where pods have devices, and the others are packed around them', () => {
    const start = aState(machines);
    const withDevices = nodesWith(start, sizedClass(1000, { devices: {} as Exclude<PodClass['devices'], undefined> }), 2);
    const after = improved(start, [...withDevices, ...nodesWith(start, sizedClass(4000), 4)]);
    expect(after.slice(0, 2)).toEqual(withDevices);
    expect(cpusOf(after)).toEqual([4, 4, 16]);
  });

  test('are packed pool by pool', () => {
    const [one, other] = [aState(machines), aState([machineSize(4, 0.01), machineSize(16, 0.02)])];
    const after = improving([one.template, other.template]).improve([
      ...nodesWith(one, sizedClass(4000), 4),
      ...nodesWith(other, sizedClass(4000), 4),
    ]);
    expect(after.map(({ fit, podCount }) => [fit.state.template === one.template, podCount])).toEqual([
      [true, 4],
      [false, 4],
    ]);
  });

  test('are packed where the pool has reservations too', () => {
    const start = aState(machines);
    const reserved = { ...start.template, reservation: { id: 'cr-1' } } as unknown as NodeTemplate;
    expect(cpusOf(improving([reserved, start.template]).improve(nodesWith(start, sizedClass(4000), 4)))).toEqual([16]);
  });
});

describe('so many pods that no mixes are tried', () => {
  test('are packed by the best of four attempts', () => {
    const start = aState(machines);
    const { asked, improve } = improving([start.template]);
    const after = improve(nodesWith(start, sizedClass(4000), 1500));
    expect([podsOn(after), after.length]).toEqual([1500, 375]);
    expect(price(after)).toBeCloseTo(450, 6);
    expect(asked.count).toBe(6);
  });

  /** One machine, at this price in the second zone. */
  const soldAt = (z2: number): NodeState => aState([{ ...machineSize(16, 1.2), zones: ['z1', 'z2'], zonePrices: { z2 } }]);
  const inZone: NodeTerm = { ...anywhere, text: 'z2', requirements: labelRequirements({ [labels.zone]: 'z2' }) };
  const before = (start: NodeState): readonly NewNode[] => {
    // Together they fill a machine evenly, which a search for good fits prefers.
    const [cpu, memory] = [Float64Array.of(2000, 2 * GIB, 1), Float64Array.of(1000, 8 * GIB, 1)];
    const [anyZone, alsoAnyZone, oneZone] = [cpu, cpu, memory].map((amounts) => sizedClass(0, { amounts }));
    if (anyZone === undefined || alsoAnyZone === undefined || oneZone === undefined) throw new Error('There are three classes');
    return [
      ...nodesWith(start, anyZone, 800),
      ...nodesWith(start, alsoAnyZone, 704),
      ...Array.from({ length: 1504 }, () => filledNode(start, oneZone, { term: inZone })),
    ];
  };
  const termsOn = ({ runs }: NewNode): number => new Set(runs.map(({ term }) => term)).size;

  test('are on nodes of their own where they would make those of others dearer', () => {
    const start = soldAt(12);
    const after = improved(start, before(start));
    expect(podsOn(after)).toBe(3008);
    expect(after.filter((newNode) => termsOn(newNode) > 1)).toEqual([]);
    expect(price(after)).toBeCloseTo(188 * 1.2 + 188 * 12, 6);
  });

  test('are together where that costs hardly more', () => {
    const start = soldAt(1.3);
    const after = improved(start, before(start));
    expect(podsOn(after)).toBe(3008);
    expect(after.filter((newNode) => termsOn(newNode) > 1).length).toBeGreaterThan(50);
    expect(price(after)).toBeLessThan(188 * 1.2 + 188 * 1.3);
  });
});

describe('limits', () => {
  /** Three nodes of four cpus that would rather be one of sixteen, beside two that stay. */
  const before = (start: NodeState, elsewhere = start): readonly NewNode[] => [
    ...nodesWith(elsewhere, sizedClass(1000, { devices: {} as Exclude<PodClass['devices'], undefined> }), 2),
    ...nodesWith(start, sizedClass(4000), 3),
  ];
  const dearSmall = [machineSize(4, 0.5), machineSize(16, 1.2)];

  test('of a pool count the nodes that stay', () => {
    const [wide, tight] = [24, 23].map((cpu) => aState(dearSmall, { limits: { cpu: String(cpu) } }));
    if (wide === undefined || tight === undefined) throw new Error('There are two pools');
    expect(cpusOf(improved(wide, before(wide)))).toEqual([4, 4, 16]);
    expect(cpusOf(improved(tight, before(tight)))).toEqual([4, 4, 4, 4, 4]);
  });

  test.each([
    ['improved before', true],
    ['improved after', false],
  ])('of the cluster count the nodes of a pool that is %s', (_, isFirst) => {
    const cpusWithin = (cpu: number): readonly number[] => {
      const clusterLimits = { limits: { cpu: cpu * 1000 }, usage: {} };
      const [start, elsewhere] = [aState(dearSmall), aState(dearSmall)];
      for (const { template } of [start, elsewhere]) Object.assign(template, { clusterLimits });
      const templates = [elsewhere.template, start.template];
      return cpusOf(improving(isFirst ? templates : templates.reverse()).improve(before(start, elsewhere)));
    };
    expect(cpusWithin(24)).toEqual([4, 4, 16]);
    expect(cpusWithin(23)).toEqual([4, 4, 4, 4, 4]);
  });
});

describe('the work', () => {
  /** Pods of 3 cpus leave a quarter of each machine free, so that no mix comes close to fractions of machines. */
  const askedFor = (pods: number, cpuMillis: number): number => {
    const start = aState(machines);
    const { asked, improve } = improving([start.template]);
    improve(nodesWith(start, sizedClass(cpuMillis), pods));
    return asked.count;
  };

  test('is one attempt for up to eight pods, four for more, none where a mix is close to fractions of machines', () => {
    expect(askedFor(8, 3000)).toBe(3);
    expect(askedFor(9, 3000)).toBe(6);
    expect(askedFor(12, 4000)).toBe(2);
  });

  test('is none where no packing could cost less', () => {
    expect(askedFor(1, 3000)).toBe(2);
  });

  test('is done once for equal nodes of a plan that is searched', () => {
    const start = aState(machines);
    const podClass = sizedClass(3000);
    const { asked, improve } = improving([start.template], { isSearched: true });
    const first = improve(nodesWith(start, podClass, 9));
    expect(asked.count).toBe(6);
    expect(improve(nodesWith(start, podClass, 9))).toEqual(first);
    expect(asked.count).toBe(1);
    expect(podsOn(improve(nodesWith(start, podClass, 12)))).toBe(12);
  });

  test('that time cut short is done again', () => {
    const start = aState(machines);
    const podClass = sizedClass(3000);
    const { asked, improve } = improving([start.template], { isSearched: true });
    asked.stopAfter = 1;
    improve(nodesWith(start, podClass, 9));
    expect(asked.count).toBe(3);
    asked.stopAfter = Number.POSITIVE_INFINITY;
    improve(nodesWith(start, podClass, 9));
    expect(asked.count).toBe(6);
  });

  test('is three attempts for pods that need a node each, and none where pods were placed out of turn', () => {
    const group = { key: HOST } as Partial<Group> as Group;
    const none = { antiAffinity: [], spreads: [], affinity: [] };
    const checks: Checks = { keys: [], host: none, wide: none };
    const topologyOf = (...countedBy: readonly Group[]) => ({ topology: { countedBy } as Partial<ClassTopology> as ClassTopology });
    const [lone, other] = [sizedClass(500, topologyOf(group)), sizedClass(3000, topologyOf())];
    const start = aState(machines);
    const before = [
      ...Array.from({ length: 3 }, () => filledNode(start, lone, { checks: { ...checks, host: { ...none, antiAffinity: [group] } } })),
      ...Array.from({ length: 9 }, () => filledNode(start, other, { checks })),
    ];
    const { asked, improve } = improving([start.template]);
    expect(cpusOf(improve(before))).toEqual([8, 8, 16]);
    expect(asked.count).toBe(5);
    expect(improving([start.template], { isOutOfOrder: true }).improve(before)).toEqual(before);
  });
});
