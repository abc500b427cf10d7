import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { aNamedPod, namesOf, termIn, zonesOfTerms } from '../testing/a-class.ts';
import type { Topology } from '../topology/topology.ts';
import { nodeFirst } from './plan-variants.ts';
import { halvesAround, restrictTo, ordersOf, withLabel } from './pod-set-orders.ts';

const nothing = { antiAffinity: [], spreads: [], affinity: [] };

interface ClassOptions {
  readonly cpu?: number;
  readonly memory?: number;
  /** In which list of the required constraints on a host, or elsewhere, the class has one. */
  readonly constrained?: readonly ['host' | 'wide', keyof typeof nothing];
  readonly terms?: readonly NodeTerm[];
}

const orderedClass = ({ cpu = 0, memory = 0, constrained, terms = [termIn()] }: ClassOptions): PodClass => {
  const [where, list] = constrained ?? [];
  const checks = (side: 'host' | 'wide'): object => (side === where && list !== undefined ? { ...nothing, [list]: [{}] } : nothing);
  return {
    shape: { requests: { cpu, memory } },
    terms,
    topology: constrained && { required: { host: checks('host'), wide: checks('wide') } },
  } as unknown as PodClass;
};

const podSetOf = (podClass: PodClass, ...pods: readonly Pod[]): PodSet => ({ podClass, pods });

describe('orders of pod sets', () => {
  const [bySize, byMemory, byConstraint, byAge] = [0, 1, 2, 3];
  const inOrder = (order: number, ...podSets: readonly PodSet[]): readonly string[] => namesOf([...ordersOf(podSets)][order] ?? []);
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

  test('one goes by cpu, then by memory, then by age, then by name', () => {
    const small = podSetOf(orderedClass({ cpu: 1, memory: 9 }), aNamedPod('small'));
    const large = podSetOf(orderedClass({ cpu: 2, memory: 1 }), aNamedPod('large'));
    const roomy = podSetOf(
      orderedClass({ cpu: 1, memory: 10 }),
      aNamedPod('young', second),
      aNamedPod('old', first),
      aNamedPod('as-old', first),
    );
    for (const sets of [
      [small, roomy, large],
      [large, roomy, small],
    ])
      expect(inOrder(bySize, ...sets)).toEqual(['large', 'as-old old young', 'small']);
  });

  test('pods of one class that are next to each other are one set again, and others are not', () => {
    const [web, job] = [orderedClass({ cpu: 1 }), orderedClass({ cpu: 1 })];
    const sets = [podSetOf(web, aNamedPod('a'), aNamedPod('b'), aNamedPod('d')), podSetOf(job, aNamedPod('c'))];
    expect(inOrder(bySize, ...sets)).toEqual(['a b', 'c', 'd']);
  });

  test('pods of one class that were led to other places stay apart', () => {
    const web = orderedClass({ cpu: 1 });
    const led = { ...podSetOf(web, aNamedPod('b')), terms: [termIn('z1')] };
    expect(inOrder(byAge, podSetOf(web, aNamedPod('a')), led, podSetOf(web, aNamedPod('c')))).toEqual(['a', 'b', 'c']);
  });

  test('one goes by memory alone, in the order that they come in where it is equal', () => {
    const sets = [orderedClass({ cpu: 9, memory: 1 }), orderedClass({ cpu: 1, memory: 2 }), orderedClass({ cpu: 5, memory: 2 })];
    expect(inOrder(byMemory, ...sets.map((each, index) => podSetOf(each, aNamedPod(`p${index}`))))).toEqual(['p1', 'p2', 'p0']);
  });

  test.each<[string, ClassOptions['constrained']]>([
    ['anti-affinity over hosts', ['host', 'antiAffinity']],
    ['a spread over hosts', ['host', 'spreads']],
    ['affinity to pods of a host', ['host', 'affinity']],
    ['a spread over zones', ['wide', 'spreads']],
  ])('one has those with %s before those without', (_, constrained) => {
    const free = podSetOf(orderedClass({}), aNamedPod('free'));
    const selected = podSetOf(
      { ...orderedClass({}), topology: { required: { host: nothing, wide: nothing } } } as unknown as PodClass,
      aNamedPod('selected'),
    );
    const bound = podSetOf(orderedClass(constrained === undefined ? {} : { constrained }), aNamedPod('bound'));
    expect(inOrder(byConstraint, free, selected, bound)).toEqual(['bound', 'free', 'selected']);
  });

  test('one goes by age, a pod without a date first', () => {
    const [web, job] = [orderedClass({ cpu: 9 }), orderedClass({ cpu: 1 })];
    expect(
      inOrder(byAge, podSetOf(web, aNamedPod('young', second), aNamedPod('dateless')), podSetOf(job, aNamedPod('old', first))),
    ).toEqual(['dateless', 'old', 'young']);
  });
});

describe('halves of a pod set around the others', () => {
  const [web, job] = [orderedClass({}), orderedClass({})];
  const five = podSetOf(web, ...['a', 'b', 'c', 'd', 'e'].map((name) => aNamedPod(name)));
  const other = podSetOf(job, aNamedPod('x'));

  test('the larger half comes first', () => {
    expect(halvesAround(web, [five, other], 5).map(namesOf)).toEqual([['a b c', 'x', 'd e']]);
  });

  test.each<[string, readonly PodSet[], number]>([
    ['fewer pods than are worth it', [five, other], 6],
    ['no others', [five], 1],
  ])('there are none with %s', (_, podSets, leastPods) => expect(halvesAround(web, podSets, leastPods)).toEqual([]));
});

describe('a pod set that is led to a zone', () => {
  const set = podSetOf(orderedClass({ terms: [termIn('z1', 'z2'), termIn('z2', 'z3')] }), aNamedPod('a'));

  test('keeps the terms by which it may go there', () => {
    expect(zonesOfTerms(restrictTo(set, withLabel(labels.zone, 'z2')))).toEqual(['z2', 'z2']);
    expect(zonesOfTerms(restrictTo(set, withLabel(labels.zone, 'z1')))).toEqual(['z1']);
  });

  test('has no terms where it could never go', () => expect(restrictTo(set, withLabel(labels.zone, 'z9')).terms).toEqual([]));

  test('goes elsewhere than it was led before, if the two exclude each other', () => {
    const before = restrictTo(set, withLabel(labels.zone, 'z1'));
    expect(zonesOfTerms(restrictTo(before, withLabel(labels.zone, 'z3')))).toEqual(['z3']);
    expect(restrictTo(before, withLabel(labels.zone, 'z9')).terms).toEqual([]);
  });

  test('gets the very same terms each time: places remember their answers by them', () => {
    const [a, b] = [restrictTo(set, withLabel(labels.zone, 'z2')), restrictTo(set, withLabel(labels.zone, 'z2'))];
    expect(a.terms.every((term, index) => term === b.terms[index])).toBe(true);
    expect(a.terms[0]).not.toBe(restrictTo(set, withLabel(labels.zone, 'z1')).terms[0]);
  });
});

describe('the pods of a planned node', () => {
  const [web, job] = [orderedClass({ terms: [termIn('z1', 'z2')] }), orderedClass({ terms: [termIn('z1')] })];
  const sets = [podSetOf(web, aNamedPod('a'), aNamedPod('b'), aNamedPod('c')), podSetOf(job, aNamedPod('x'))];
  const nodeWith = (...runs: readonly (readonly [PodClass, number])[]): NewNode =>
    ({ runs: runs.map(([podClass, count]) => ({ podClass, count })) }) as Partial<NewNode> as NewNode;
  const topology = { domains: { keys: [labels.zone], labelOfKey: () => labels.zone }, valuesOf: () => ['z1', 'z2'] } as unknown as Topology;

  test('come before all others, and after them', () => {
    expect([...nodeFirst(nodeWith([web, 2]), sets, undefined)].map(namesOf)).toEqual([
      ['a b', 'c', 'x'],
      ['c', 'x', 'a b'],
    ]);
  });

  test('are counted over all runs of a class', () => {
    expect([...nodeFirst(nodeWith([web, 1], [web, 2]), sets, undefined)].map(namesOf)[0]).toEqual(['a b c', 'x']);
  });

  test('are counted once where a class has several pod sets', () => {
    const apart = [podSetOf(web, aNamedPod('a')), podSetOf(web, aNamedPod('b'))];
    expect([...nodeFirst(nodeWith([web, 1]), apart, undefined)].map(namesOf)).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ]);
  });

  test('come before the others in each domain that all of them may go to', () => {
    const orders = [...nodeFirst(nodeWith([web, 1], [job, 1]), sets, topology)];
    expect(orders.slice(2).map(namesOf)).toEqual([['a', 'x', 'b c']]);
    expect(orders[2]?.slice(0, 2).map(({ terms }) => terms?.[0]?.requirements.get(labels.zone)?.values)).toEqual([
      { kind: 'in', values: new Set(['z1']) },
      { kind: 'in', values: new Set(['z1']) },
    ]);
    expect([...nodeFirst(nodeWith([web, 1]), sets, topology)]).toHaveLength(4);
  });
});
