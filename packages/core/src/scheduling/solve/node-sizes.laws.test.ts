import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Pod } from '../../kube/index.ts';
import { requirementsOf } from '../../requirements/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import { NodeSizes, SizedPods } from './node-sizes.ts';
import type { NodeSize } from './node-sizes.ts';

const someSizes: fc.Arbitrary<readonly NodeSize[]> = fc.array(
  fc.record({ pods: fc.integer({ min: 1, max: 6 }), costPerHour: fc.integer({ min: 1, max: 40 }).map((n) => n / 8) }),
  { minLength: 1, maxLength: 4 },
);

/** The least that nodes for so many pods can cost: every first node is tried. */
const leastCost = (sizes: readonly NodeSize[], pods: number): number => {
  const costs = [0];
  for (let count = 1; count <= pods; count++) {
    costs.push(Math.min(...sizes.map((each) => each.costPerHour + (costs[Math.max(0, count - each.pods)] ?? 0))));
  }
  return costs[pods] ?? 0;
};

/** Opens nodes until all pods have a place, each as full as it may be; how many pods each has. */
const filledNodes = (sized: SizedPods): readonly number[] => {
  const nodes: number[] = [];
  for (let node = 0; sized.left > 0; node++) {
    sized.open(node);
    let count = 1;
    for (; sized.left > 0 && sized.mayJoin(node, count); count++) sized.place(node);
    nodes.push(count);
  }
  return nodes;
};

const cheapestCost = (sizes: readonly NodeSize[], pods: number): number =>
  Math.min(...sizes.filter((size) => size.pods >= pods).map(({ costPerHour }) => costPerHour));

test('nodes take as many pods as they cost least together with', () => {
  fc.assert(
    fc.property(someSizes, fc.integer({ min: 1, max: 25 }), (sizes, pods) => {
      const sized = new SizedPods({ count: pods });
      sized.measure(sizes);
      const nodes = filledNodes(sized);
      expect(nodes.reduce((sum, count) => sum + count, 0)).toBe(pods);
      expect(nodes.reduce((sum, count) => sum + cheapestCost(sizes, count), 0)).toBeCloseTo(leastCost(sizes, pods), 9);
    }),
  );
});

describe('nodes for pods that claim devices', () => {
  const sizedFor = (count: number, ...sizes: readonly NodeSize[]): SizedPods => {
    const sized = new SizedPods({ count });
    sized.measure(sizes);
    return sized;
  };

  test('are the larger ones where both cost as much', () => {
    const sized = sizedFor(4, { pods: 1, costPerHour: 1 }, { pods: 2, costPerHour: 2 });
    expect(filledNodes(sized)).toEqual([2, 2]);
  });

  test('cost least for each pod where there are more pods than are combined', () => {
    const sized = sizedFor(5000, { pods: 3, costPerHour: 3 }, { pods: 4, costPerHour: 4.4 }, { pods: 1, costPerHour: 1.2 });
    sized.open(0);
    sized.place(0);
    expect(sized.mayJoin(0, 2)).toBe(true);
    sized.place(0);
    expect(sized.mayJoin(0, 3)).toBe(false);
  });

  test('grow without end where no size is known, and before sizes are measured', () => {
    const unsized = sizedFor(9);
    expect(unsized.isMeasured).toBe(true);
    expect(unsized.mostGrowth(0)).toBe(Number.POSITIVE_INFINITY);
    const fresh = new SizedPods({ count: 9 });
    expect(fresh.isMeasured).toBe(false);
    for (const sized of [unsized, fresh]) {
      sized.open(0);
      for (let i = 0; i < 7; i++) sized.place(0);
      expect([sized.left, sized.mayJoin(0, 8)]).toEqual([1, true]);
    }
  });

  test('may cost as much more as a node for the pod alone, unless they were opened for such pods', () => {
    const sized = sizedFor(9, { pods: 2, costPerHour: 3 }, { pods: 4, costPerHour: 4 });
    sized.open(0);
    expect([sized.mostGrowth(0), sized.mostGrowth(1)]).toEqual([Number.POSITIVE_INFINITY, 1]);
  });

  test('are not tried again for as many pods once one more was too dear', () => {
    const sized = sizedFor(9, { pods: 9, costPerHour: 1 });
    sized.refuse(3, 2);
    expect([sized.mayJoin(3, 2), sized.mayJoin(3, 1), sized.mayJoin(4, 2)]).toEqual([false, true, true]);
  });

  test('a pod on an existing node leaves the others as many nodes as they need', () => {
    const sized = sizedFor(3, { pods: 2, costPerHour: 1 });
    sized.place();
    sized.place(7);
    expect([sized.left, sized.mostGrowth(7)]).toEqual([1, 0.5]);
    sized.place();
    sized.place();
    expect(sized.left).toBe(0);
  });
});

describe('pods share their sizes', () => {
  const termIn = (zone: string): NodeTerm => ({
    text: zone,
    requirements: requirementsOf([{ key: 'zone', operator: 'In', values: [zone] }]),
    tolerations: [],
    relaxation: 'required',
  });
  const classOf = (text: string | undefined, terms: readonly NodeTerm[], isTied = false): PodClass =>
    ({ devices: text === undefined ? undefined : { text, isTied }, terms }) as unknown as PodClass;
  const sizesFor = (...classes: readonly PodClass[]): NodeSizes =>
    new NodeSizes(classes.map((podClass) => ({ podClass, pods: [{}, {}] as readonly unknown[] as readonly Pod[] })));
  const [a, b] = [termIn('a'), termIn('b')];

  test('that claim the same and may go on the same nodes', () => {
    const [one, other] = [classOf('gpu', [a]), classOf('gpu', [a, b])];
    const sizes = sizesFor(one, other);
    expect(sizes.of(one, a)?.left).toBe(4);
    expect(sizes.of(one, a)).toBe(sizes.of(other, a));
  });

  test('but not with those that claim something else, or go elsewhere', () => {
    const [one, other, elsewhere] = [classOf('gpu', [a]), classOf('nic', [a]), classOf('gpu', [b])];
    const sizes = sizesFor(one, other, elsewhere);
    expect([one, other, elsewhere].map((each) => sizes.of(each, a)?.left)).toEqual([2, 2, 2]);
    expect(new Set([one, other, elsewhere].map((each) => sizes.of(each, a))).size).toBe(3);
  });

  test('on nodes of each term apart, while those that are left are counted together', () => {
    const one = classOf('gpu', [a]);
    const sizes = sizesFor(one);
    sizes.of(one, a)?.place();
    expect(sizes.of(one, b)).not.toBe(sizes.of(one, a));
    expect(sizes.of(one, b)?.left).toBe(1);
  });

  test.each<[string, PodClass]>([
    ['claim nothing', classOf(undefined, [a])],
    ['share their claims with pods of another class', classOf('gpu', [a], true)],
    ['go nowhere', classOf('gpu', [])],
  ])('not where they %s', (_, podClass) => expect(sizesFor(podClass).of(podClass, a)).toBeUndefined());

  test('not where the class was not among the pods of the solve', () => expect(sizesFor().of(classOf('gpu', [a]), a)).toBeUndefined());
});
