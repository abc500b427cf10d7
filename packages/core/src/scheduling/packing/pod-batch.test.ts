import { describe, expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm, EqualTerms } from '../pod-classes/node-term.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Checks, Group, SpreadCheck } from '../topology/group.ts';
import { areApart, totalsOf, gatheringPodBatches, ordering, withSeats, termsText } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { anywhere, aPodBatch } from './testing/a-pod-batch.ts';

const groups = ['a', 'b', 'c'].map((text): Group => ({ text }) as Partial<Group> as Group);
const [a, b, c] = groups;
const lone = (count: number, ...own: readonly (Group | undefined)[]): PodBatch => {
  const list = own.filter((group) => group !== undefined);
  return { ...aPodBatch(count, 100, 200), host: { antiAffinity: list, spreads: [], countedBy: list } };
};
/** Pods that are spread over hosts, so many more on one than on another. */
const spread = (maxSkew: number): PodBatch => {
  const list = groups.slice(0, 1);
  return {
    ...aPodBatch(1, 100, 200),
    host: { antiAffinity: [], spreads: list.map((group) => ({ group, maxSkew }) as SpreadCheck), countedBy: list },
  };
};
/** What the steps return, and how many pauses there were. */
const finishCounting = <T>(steps: Steps<T>): readonly [T, number] => {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done === true) return [value, pauses];
  }
};
const elsewhere: NodeTerm = { ...anywhere, text: 'elsewhere' };

describe('batches of planned nodes', () => {
  const classOf = (sets: readonly EqualTerms[], amounts: readonly number[]): PodClass =>
    ({
      equalTerms: new Map(sets.flatMap((terms) => terms.map((term): [NodeTerm, EqualTerms] => [term, terms]))),
      resourceIds: Int32Array.from(amounts.keys()),
      amounts: Float64Array.from(amounts),
    }) as Partial<PodClass> as PodClass;
  const newNodeOf = (...runs: NewNode['runs']): NewNode => ({ runs }) as Partial<NewNode> as NewNode;

  test('are equal pods together, whichever of the terms of a step they were placed by, in the order in which they came', () => {
    const either: EqualTerms = [anywhere, elsewhere];
    const web = classOf([either], [500, 7]);
    const job = classOf([[anywhere], [elsewhere]], [100, 3]);
    const batches = finish(
      gatheringPodBatches([
        newNodeOf({ podClass: web, term: elsewhere, count: 2 }, { podClass: job, term: elsewhere, count: 4 }),
        newNodeOf({ podClass: job, term: anywhere, count: 8 }, { podClass: web, term: anywhere, count: 16 }),
      ]),
    );
    expect(batches.map(({ podClass, terms, count }) => [podClass, terms, count])).toEqual([
      [web, either, 18],
      [job, [elsewhere], 4],
      [job, [anywhere], 8],
    ]);
    expect(batches.map(({ amounts, host }) => [[...amounts], host])).toEqual([
      [[500, 7], undefined],
      [[100, 3], undefined],
      [[100, 3], undefined],
    ]);
  });

  test('are apart where other terms would have suited them as well, or other checks were made', () => {
    const [one, both]: readonly EqualTerms[] = [[anywhere], [anywhere, elsewhere]];
    if (one === undefined || both === undefined) throw new Error('There are two sets');
    const web = {
      ...classOf([], [1]),
      equalTerms: new Map([
        [anywhere, one],
        [elsewhere, both],
      ]),
    };
    const termsIn = (...runs: NewNode['runs']): unknown =>
      finish(gatheringPodBatches([newNodeOf(...runs)])).map(({ terms, count }) => [terms, count]);
    const [plain, choosy] = [
      { podClass: web, term: anywhere, count: 4 },
      { podClass: web, term: elsewhere, count: 8 },
    ];
    expect(termsIn(plain, choosy)).toEqual([
      [one, 4],
      [both, 8],
    ]);
    expect(termsIn(choosy, plain)).toEqual([
      [both, 8],
      [one, 4],
    ]);
    const none = { antiAffinity: [], spreads: [], affinity: [] };
    const [first, second] = [1, 2].map((key): Checks => ({ keys: [key], host: none, wide: none }));
    expect(termsIn({ ...plain, checks: first }, { ...plain, checks: second }, { ...plain, checks: first })).toEqual([
      [one, 8],
      [one, 4],
    ]);
  });

  test('have host rules only where their class has constraints and these were checked', () => {
    const topology = { countedBy: groups } as Partial<ClassTopology> as ClassTopology;
    const checks: Checks = {
      keys: [],
      host: { antiAffinity: groups, spreads: [], affinity: [] },
      wide: { antiAffinity: [], spreads: [], affinity: [] },
    };
    const hostOf = (podClass: PodClass, rest: Partial<NewNode['runs'][number]>): unknown =>
      finish(gatheringPodBatches([newNodeOf({ podClass, term: anywhere, count: 1, ...rest })]))[0]?.host;
    const plain = classOf([], [1]);
    expect(hostOf(plain, { checks })).toBeUndefined();
    expect(hostOf({ ...plain, topology }, {})).toBeUndefined();
    expect(hostOf({ ...plain, topology }, { checks })).toEqual({ antiAffinity: groups, spreads: [], countedBy: [] });
  });

  test('go by their term alone where the class knows no others', () => {
    const batches = finish(gatheringPodBatches([newNodeOf({ podClass: classOf([], [1]), term: elsewhere, count: 1 })]));
    expect(batches.map(({ terms }) => terms)).toEqual([[elsewhere]]);
  });

  test('are gathered, and put into size classes, with pauses where hardly two pods are alike', () => {
    const newNodes = Array.from({ length: 100 }, () =>
      newNodeOf(...Array.from({ length: 100 }, () => ({ podClass: classOf([], [1]), term: elsewhere, count: 1 }))),
    );
    const [gathering, pausesOfGathering] = finishCounting(gatheringPodBatches(newNodes));
    const [order, pausesOfOrdering] = finishCounting(ordering(gathering, new Float64Array([1, 1])));
    expect(order.sizeClasses.flatMap(({ numbers }) => numbers)).toHaveLength(10_000);
    expect([pausesOfGathering, pausesOfOrdering]).toEqual([8, 5]);
  });

  test('have one text for their terms exactly when the terms are the same', () => {
    const termSets = [[anywhere], [elsewhere], [elsewhere, elsewhere], [anywhere, elsewhere]].map((terms) =>
      termsText({ ...lone(1), terms }),
    );
    expect(new Set(termSets).size).toBe(4);
  });
});

describe('no two pods may share a node, so that repacking cannot gain anything,', () => {
  test.each<[string, () => readonly PodBatch[], boolean]>([
    ['where all keep off each other', () => [lone(1, a), lone(2, a, b)], true],
    ['by the second of their groups', () => [lone(1, a, b), lone(2, b, c), lone(3, b)], true],
    ['not where some keep off one and some off another', () => [lone(1, a), lone(2, b)], false],
    ['not where two do and a third does not care', () => [lone(1, a), lone(2, a), aPodBatch(1, 1, 1)], false],
    [
      'not where they avoid others only',
      () => [{ ...aPodBatch(1, 1, 1), host: { antiAffinity: groups, spreads: [], countedBy: [] } }],
      false,
    ],
    [
      'not where one may choose between terms: it may be had for less by another',
      () => [{ ...lone(1, a), terms: [anywhere, elsewhere] }],
      false,
    ],
    ['not where the second may choose', () => [lone(1, a), { ...lone(1, a), terms: [anywhere, elsewhere] }], false],
    ['by a spread that allows one to a host', () => [spread(1), spread(1)], true],
    ['not by a spread that allows two', () => [spread(1), spread(2)], false],
    ['not where there are none', () => [], false],
  ])('%s', (_, batches, expected) => {
    expect(areApart(batches())).toBe(expected);
  });
});

describe('a seat', () => {
  const seatsOf = (batches: readonly PodBatch[]): readonly (number | undefined)[] =>
    withSeats(batches, 3).map(({ resourceIds, amounts }) => amounts[resourceIds.indexOf(3)]);

  test('is wanted only by the pods of the largest group without two pods on one node', () => {
    expect(seatsOf([lone(4, a), lone(5, b), aPodBatch(90, 1, 1), lone(2, a)])).toEqual([1, undefined, undefined, 1]);
    expect(seatsOf([lone(4, a), lone(7, b), lone(2, a)])).toEqual([undefined, 1, undefined]);
    expect(seatsOf([lone(4, a), lone(4, b)])).toEqual([1, undefined]);
    expect(seatsOf([lone(1, a, b), lone(1, b)])).toEqual([1, 1]);
  });

  test('takes nothing from what the pod wants beside it', () => {
    const [own] = withSeats([lone(4, a)], 3);
    expect([[...(own?.resourceIds ?? [])], [...(own?.amounts ?? [])]]).toEqual([
      [0, 1, 2, 3],
      [100, 200, 1, 1],
    ]);
  });

  test('is wanted by none where no pod avoids its own kind: the batches are the very same', () => {
    const batches = [aPodBatch(9, 1, 1), { ...aPodBatch(9, 1, 1), host: { antiAffinity: groups, spreads: [], countedBy: [] } }];
    expect(withSeats(batches, 3)).toBe(batches);
  });
});

test('totals are what the batches want together, by the counts that are left', () => {
  const batches = [aPodBatch(9, 100, 7), { ...aPodBatch(9, 0, 0), resourceIds: Int32Array.of(3), amounts: Float64Array.of(2) }];
  expect([...totalsOf(batches, Float64Array.of(3, 5), 5)]).toEqual([300, 21, 3, 10, 0]);
});

test.each<[string, number, number]>([
  ['a resource that no node has a column for', 1, 4],
  ['a batch without a count', 2, 3],
])('totals for %s are a bug that shows, and not nothing', (_, batchCount, resourceId) => {
  const wanting = { ...aPodBatch(1, 0, 0), resourceIds: Int32Array.of(resourceId), amounts: Float64Array.of(2) };
  const batches = Array.from({ length: batchCount }, () => wanting);
  expect(() => totalsOf(batches, Float64Array.of(1), 4)).toThrow(RangeError);
});
