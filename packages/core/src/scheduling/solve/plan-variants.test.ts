import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { aPodSet, namesOf, termIn } from '../testing/a-class.ts';
import { aState } from '../testing/a-template.ts';
import type { Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import { leftOverLed, orderWithFirst, twoChanges, ways } from './plan-variants.ts';
import type { Neighbourhood, Variant, VariantMove } from './plan-variants.ts';

const rack = 'example.com/rack';
const [zones, racks] = [0, 1];
const groupOver = (key: number): Group => ({ key }) as Partial<Group> as Group;

interface ClassOptions {
  readonly cpu?: number;
  /** The keys whose domains the class reads; default: those of its groups. */
  readonly keys?: readonly number[];
  readonly joined?: readonly Group[];
  readonly spreads?: readonly Group[];
  readonly countedBy?: readonly Group[];
  readonly levels?: readonly (readonly NodeTerm[])[];
  readonly problem?: PodClass['problem'];
  readonly unknownResource?: string;
  readonly devices?: object;
}

const classOf = (options: ClassOptions = {}): PodClass => {
  const { cpu = 0, joined = [], spreads = [], countedBy = [], levels = [[termIn()]], ...rest } = options;
  const keys = options.keys ?? [...new Set([...joined, ...spreads].map(({ key }) => key))];
  const wide = {
    affinity: joined.map((group) => ({ groups: [group], allGroups: [group] })),
    spreads: spreads.map((group) => ({ group })),
    antiAffinity: [],
  };
  const required = { wide, host: { affinity: [], spreads: [], antiAffinity: [] }, keys: [] };
  // Preference 1 is about other pods: with it the class reads its keys.
  const topology = { required, countedBy, preferences: 1, checksWith: (preferences: number) => ({ keys: preferences === 1 ? keys : [] }) };
  return { shape: { requests: { cpu } }, terms: levels.flat(), levels, topology, ...rest } as unknown as PodClass;
};

const bare = (): PodClass => ({ ...classOf(), topology: undefined });

const topologyWithDomains = (domains: Readonly<Record<string, readonly string[]>>): Topology => {
  const keys = Object.keys(domains);
  return {
    domains: { keys, labelOfKey: (key: number) => keys[key] },
    valuesOf: (key: number) => domains[keys[key] ?? ''] ?? [],
  } as unknown as Topology;
};
const twoZones = topologyWithDomains({ [labels.zone]: ['z1', 'z2'] });
const zonesAndRacks = topologyWithDomains({ [labels.zone]: ['z1', 'z2'], [rack]: ['r1'] });

/** Where the first term of a pod set leads it, and nothing where it was not led. */
const ledIn = ({ terms: [first] = [] }: PodSet): string => {
  const led = [...(first?.requirements.values() ?? [])].map(({ values }) => (values.kind === 'in' ? [...values.values].join() : ''));
  return led.length === 0 ? '' : ` in ${led.join('/')}`;
};
const shown = ({ podSets }: Pick<Variant, 'podSets'>): readonly string[] =>
  podSets.map((podSet, index) => `${namesOf(podSets)[index] ?? ''}${ledIn(podSet)}`);

type Circumstances = Partial<Neighbourhood & { readonly of: Partial<Variant> }>;

const around = (podSets: readonly PodSet[], { of = {}, ...rest }: Circumstances): Neighbourhood => ({
  variant: { podSets, domainOrder: 'emptiest', ...of },
  ...{ unplaced: [], newNodes: [], templates: [], topology: undefined },
  ...rest,
});

const made = (move: VariantMove | undefined, podSets: readonly PodSet[], given: Circumstances = {}): readonly Variant[] => [
  ...(move?.(around(podSets, given)) ?? []),
];
const orders = (move: VariantMove | undefined, podSets: readonly PodSet[], given: Circumstances = {}) =>
  made(move, podSets, given).map(shown);

const [thorough = [], byDomain = []] = ways;
const [otherDomainOrder, rescues, sized, inOtherOrders, led, eachFirst, ledFreely, frugally, termByTerm, ...further] = thorough;
const [onOtherTypes, halfLed, eachLast, nodeByNode, halfFirst, ordersLed, firstLed, firstLedFreely] = further;
const unplacedOf = (podSet: PodSet) => ({ podSet, count: podSet.pods.length, wasStopped: false });

test('the search by domains tries each single change that the other tries, once, and begins with domains', () => {
  const singles = thorough.slice(0, 13);
  expect(new Set(byDomain)).toEqual(new Set(singles));
  expect([byDomain.length, byDomain[0], byDomain[1]]).toEqual([13, led, ledFreely]);
});

describe('pod sets of some classes before all others', () => {
  test('keep their order, as do the others', () => {
    const [web, job, base] = [bare(), bare(), bare()];
    const podSets = [aPodSet(base, 'a'), aPodSet(web, 'b'), aPodSet(job, 'c'), aPodSet(web, 'd')];
    expect(namesOf(orderWithFirst(new Set([job, web]), podSets))).toEqual(['b', 'c', 'd', 'a']);
  });
});

describe('changes of how all pods are placed', () => {
  const podSets = [aPodSet(bare(), 'a')];

  test('domains are chosen by price instead of count, and by count again', () => {
    expect(made(otherDomainOrder, podSets)).toEqual([{ podSets, domainOrder: 'cheapest' }]);
    expect(made(otherDomainOrder, podSets, { of: { domainOrder: 'cheapest' } })).toEqual([{ podSets, domainOrder: 'emptiest' }]);
  });

  test('nodes grow only where that costs less than a further one, and freely again', () => {
    expect(made(frugally, podSets)).toEqual([{ podSets, domainOrder: 'emptiest', isFrugal: true }]);
    expect(made(frugally, podSets, { of: { isFrugal: true } })).toEqual([{ podSets, domainOrder: 'emptiest', isFrugal: false }]);
  });

  test('when some pod has alternatives › they are tried one by one, and together again', () => {
    const choosing = [aPodSet(bare(), 'a'), aPodSet(classOf({ levels: [[termIn('z1')], [termIn('z1'), termIn('z2')]] }), 'b')];
    expect(made(termByTerm, choosing)).toEqual([{ podSets: choosing, domainOrder: 'emptiest', isTermByTerm: true }]);
    expect(made(termByTerm, choosing, { of: { isTermByTerm: true } }).map(({ isTermByTerm }) => isTermByTerm)).toEqual([false]);
    expect(made(termByTerm, [aPodSet(classOf({ levels: [[termIn('z1')], [termIn('z2')]] }), 'b')])).toEqual([]);
  });

  test('when some pod claims devices › nodes for them grow freely, and have the cheapest sizes again', () => {
    const claiming = [aPodSet(bare(), 'a'), aPodSet(classOf({ devices: {} }), 'b')];
    expect(made(sized, claiming, { of: { hasSizedNodes: true } }).map(({ hasSizedNodes }) => hasSizedNodes)).toEqual([false]);
    expect(made(sized, claiming).map(({ hasSizedNodes }) => hasSizedNodes)).toEqual([true]);
    expect(made(sized, podSets)).toEqual([]);
  });

  test('each type that is planned is left out in turn, and with that other orders are tried', () => {
    const state = aState([1, 2].map((cpus) => ({ cpus, memoryBytes: 2 ** 30, pricePerHour: cpus })));
    const newNode = { fit: { state, cheapest: { type: 0 } } } as Partial<NewNode> as NewNode;
    const given = { newNodes: [newNode], templates: [state.template] };
    const two = [aPodSet(classOf({ cpu: 1 }), 'small'), aPodSet(classOf({ cpu: 2 }), 'large')];
    expect(made(onOtherTypes, two, given).map(({ types, podSets: same }) => [types?.text, same])).toEqual([[' not machine-00', two]]);
    const both = made(twoChanges, two, given);
    expect(new Set(both.map(({ types }) => types?.text))).toEqual(new Set([' not machine-00']));
    expect(both.map(shown)).toEqual(orders(inOtherOrders, two));
  });
});

describe('changes of order', () => {
  const [small, large] = [aPodSet(classOf({ cpu: 1 }), 'a', 'b'), aPodSet(classOf({ cpu: 2 }), 'c')];
  const again = { ...small, pods: aPodSet(small.podClass, 'd').pods };

  test('pods come by size, and otherwise', () => {
    const sets = orders(inOtherOrders, [small, large]);
    expect(sets).toHaveLength(4);
    expect(sets[0]).toEqual(['c', 'a b']);
  });

  test('each class comes first, and last', () => {
    expect(orders(eachFirst, [small, large, again])).toEqual([
      ['a b', 'd', 'c'],
      ['c', 'a b', 'd'],
    ]);
    expect(orders(eachLast, [small, large, again])).toEqual([
      ['c', 'd', 'a b'],
      ['d', 'a b', 'c'],
    ]);
  });

  test('when a class has four pods › half of them come first, half of them last', () => {
    const [four, three] = [aPodSet(bare(), 'a', 'b', 'c', 'd'), aPodSet(bare(), 'x', 'y', 'z')];
    expect(orders(halfFirst, [four, three])).toEqual([['a b', 'x y z', 'c d']]);
  });

  test('when three nodes are planned › the pods of each come first, and last', () => {
    const nodeOf = ({ podClass }: PodSet) => ({ runs: [{ podClass, count: 1 }] }) as unknown as NewNode;
    const newNodes = [nodeOf(small), nodeOf(large), nodeOf(small)];
    const expected = [
      ['a', 'b', 'c'],
      ['b', 'c', 'a'],
      ['c', 'a b'],
      ['a b', 'c'],
      ['a', 'b', 'c'],
      ['b', 'c', 'a'],
    ];
    expect(orders(nodeByNode, [small, large], { newNodes })).toEqual(expected);
    expect(orders(nodeByNode, [small, large], { newNodes: newNodes.slice(1) })).toEqual([]);
    expect(orders(nodeByNode, [small, large], { newNodes, topology: twoZones })).toHaveLength(12);
  });
});

describe('pod sets that are led', () => {
  const group = groupOver(zones);
  const [free, web] = [aPodSet(bare(), 'f'), aPodSet(classOf({ spreads: [group] }), 'a', 'b')];
  const inEachZone = [
    ['f', 'a b in z1'],
    ['f', 'a b in z2'],
  ];

  test('when no pod has topology constraints › none is led', () => {
    for (const move of [led, ledFreely, halfLed]) expect(made(move, [free, web])).toEqual([]);
  });

  test.each([
    ['a spread reads', { spreads: [group] }],
    ['an affinity reads', { joined: [group] }],
    ['a preference reads', { keys: [zones] }],
  ])('they go to each domain of the keys that %s, the others as before', (_, options) => {
    expect(orders(led, [free, aPodSet(classOf(options), 'a', 'b')], { topology: zonesAndRacks })).toEqual(inEachZone);
  });

  test('all pod sets of the class go there', () => {
    const more = { ...web, pods: aPodSet(web.podClass, 'c').pods };
    expect(orders(led, [web, free, more], { topology: twoZones })[0]).toEqual(['a b in z1', 'f', 'c in z1']);
  });

  test('when constraints tie others to them › they go alone, and together', () => {
    const joining = aPodSet(classOf({ joined: [groupOver(zones), group] }), 'x');
    const apart = aPodSet(classOf({ spreads: [groupOver(zones)] }), 'o');
    const elsewhere = aPodSet(classOf({ joined: [group], keys: [racks] }), 'r');
    expect(orders(led, [web, joining, apart, elsewhere], { topology: zonesAndRacks })).toEqual([
      ['a b in z1', 'x', 'o', 'r'],
      ['a b in z1', 'x in z1', 'o', 'r'],
      ['a b in z2', 'x', 'o', 'r'],
      ['a b in z2', 'x in z2', 'o', 'r'],
      ['a b', 'x in z1', 'o', 'r'],
      ['a b in z1', 'x in z1', 'o', 'r'],
      ['a b', 'x in z2', 'o', 'r'],
      ['a b in z2', 'x in z2', 'o', 'r'],
      ['a b', 'x', 'o in z1', 'r'],
      ['a b', 'x', 'o in z2', 'r'],
      ['a b', 'x', 'o', 'r in r1'],
    ]);
  });

  test('freely, to each domain of the keys that only others read', () => {
    expect(orders(ledFreely, [free, web], { topology: zonesAndRacks })).toEqual([
      ['f in z1', 'a b'],
      ['f in z2', 'a b'],
      ['f in r1', 'a b'],
      ['f', 'a b in r1'],
    ]);
  });

  test('when a class has a set of four pods › half of it goes to each domain of every key, the rest stays as it was', () => {
    const five = { ...free, pods: aPodSet(free.podClass, 'g', 'h', 'i', 'j', 'k').pods };
    expect(orders(halfLed, [web, free, five, aPodSet(bare(), 'z')], { topology: zonesAndRacks })).toEqual([
      ['a b', 'f', 'g h i in z1', 'j k', 'z'],
      ['a b', 'f', 'g h i in z2', 'j k', 'z'],
      ['a b', 'f', 'g h i in r1', 'j k', 'z'],
    ]);
    expect(orders(halfLed, [aPodSet(bare(), 'g', 'h', 'i', 'j')], { topology: twoZones })).toEqual([
      ['g h in z1', 'i j'],
      ['g h in z2', 'i j'],
    ]);
  });

  test('in another order, or first, too', () => {
    const large = aPodSet(classOf({ cpu: 1 }), 'l');
    const given = { topology: topologyWithDomains({ [labels.zone]: ['z1'] }) };
    expect(new Set(orders(ordersLed, [web, large], given).map(String))).toEqual(new Set(['l,a b in z1', 'a b in z1,l']));
    expect(orders(firstLed, [free, web], given)).toEqual([
      ['f', 'a b in z1'],
      ['a b in z1', 'f'],
    ]);
    expect(orders(firstLedFreely, [free, web], given)).toEqual([
      ['f in z1', 'a b'],
      ['a b', 'f in z1'],
    ]);
  });
});

describe('pods without a place', () => {
  const group = groupOver(zones);
  const other = aPodSet(bare(), 'o');
  const leaders = aPodSet(classOf({ countedBy: [group] }), 'x', 'y');
  const stuck = aPodSet(classOf({ spreads: [group] }), 'a', 'b');
  const podSets = [other, leaders, stuck];
  const rescued = (unplaced: readonly PodSet[], topology?: Topology): readonly Variant[] =>
    made(rescues, podSets, { unplaced: unplaced.map(unplacedOf), topology });

  test('come before all others, all of them together', () => {
    expect(rescued([stuck, leaders]).map(shown)).toEqual([['x y', 'a b', 'o']]);
    expect(rescued([stuck]).map(({ isOutOfOrder }) => isOutOfOrder)).toEqual([true]);
  });

  test('follow a pod that leads the way to one domain, or one in each', () => {
    const variants = rescued([stuck], twoZones);
    expect(variants.map(shown)).toEqual([
      ['a b', 'o', 'x y'],
      ['x in z1', 'o', 'y', 'a b'],
      ['x in z2', 'o', 'y', 'a b'],
      ['x in z1', 'y in z2', 'o', 'a b'],
    ]);
    expect(variants.every(({ isOutOfOrder }) => isOutOfOrder)).toBe(true);
  });

  test('come before all others in one domain, if nothing else helped', () => {
    const variants = made(leftOverLed, podSets, { unplaced: [unplacedOf(stuck)], topology: twoZones });
    expect(variants.map(shown)).toEqual([
      ['a b in z1', 'o', 'x y'],
      ['a b in z2', 'o', 'x y'],
    ]);
    expect(variants.every(({ isOutOfOrder }) => isOutOfOrder)).toBe(true);
    expect(made(leftOverLed, podSets, { unplaced: [unplacedOf(stuck)] })).toEqual([]);
  });

  test('when there are none that could have one › nothing is tried', () => {
    const [problem, unknownResource] = [{ field: 'spec', value: '', problem: 'none' }, 'example.com/none'];
    const hopeless = [aPodSet(classOf({ problem, spreads: [group] }), 'p'), aPodSet(classOf({ unknownResource, spreads: [group] }), 'q')];
    expect(rescued([], twoZones)).toEqual([]);
    expect(rescued(hopeless, twoZones)).toEqual([]);
    expect(rescued([...hopeless, stuck], twoZones)).toEqual(rescued([stuck], twoZones));
  });
});
