import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish, nextBit } from '../../base/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { Group } from '../topology/group.ts';
import type { PackingRules } from './best-value.ts';
import { packingGreedily } from './greedy-packing.ts';
import { totalsOf, withSeats } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { aPodBatch, anywhere } from './testing/a-pod-batch.ts';
import { labels } from '../../apis/index.ts';
import { requirementsOf } from '../../requirements/index.ts';
import { aStart, costOfNodes } from './testing/a-start.ts';

const GIB = 2 ** 30;

/** Three families of machines, by how much memory comes with a cpu, and no size that is a better buy than another. */
const machines = [1, 2, 4, 8, 16, 32].flatMap((cpus) =>
  [2, 4, 8].map((gib) => ({ cpus, memoryBytes: cpus * gib * GIB, pricePerHour: cpus * (0.03 + 0.005 * gib) })),
);
const { columns } = aStart(...machines).template;

const rules = (rest: Partial<PackingRules>): Omit<PackingRules, 'allowedTypes'> => ({
  leastCpuMillis: 0,
  shares: Number.POSITIVE_INFINITY,
  costToBeat: Number.POSITIVE_INFINITY,
  effort: { tries: 1_000_000 },
  isAllowed: () => true,
  ...rest,
});

/** Each time in a pool of its own, so that nothing is remembered from the last. */
const packGreedily = (batches: readonly PodBatch[], rest: Partial<PackingRules> = {}): readonly NewNode[] | undefined => {
  const start = aStart(...machines);
  return finish(packingGreedily(start, batches, { allowedTypes: start.template.everyType, ...rules(rest) }));
};
const group = { text: 'lone' } as Partial<Group> as Group;
const lone: PodBatch = { ...aPodBatch(20, 100, GIB / 8), host: { antiAffinity: [group], spreads: [], countedBy: [group] } };
const plainAndLone = [lone, aPodBatch(150, 500, GIB)];
/** No two alike, so that no node is bought twice. */
const ofManySizes = (count: number): readonly PodBatch[] =>
  Array.from({ length: count }, (_, index) => aPodBatch(1, 3000 + 7 * index, (6 + (index % 5)) * GIB));
const sizes = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  cpu: fc.integer({ min: 1, max: 60 }),
  gib: fc.integer({ min: 1, max: 60 }),
});
const batches = fc.array(
  sizes.map(({ count, cpu, gib }) => aPodBatch(count, cpu * 100, (gib * GIB) / 4)),
  { minLength: 1, maxLength: 10 },
);

describe('a greedy packing', () => {
  test('has every pod once, on nodes that hold them', () => {
    fc.assert(
      fc.property(batches, fc.boolean(), (list, isHurried) => {
        const newNodes = packGreedily(list, { effort: { tries: isHurried ? 0 : 1_000_000 } }) ?? [];
        const packed = new Map<unknown, number>();
        for (const { fit, used, runs, podCount } of newNodes) {
          for (const { podClass, count } of runs) packed.set(podClass, (packed.get(podClass) ?? 0) + count);
          expect(podCount).toBe(runs.reduce((sum, { count }) => sum + count, 0));
          const there = list.map((each) =>
            runs.filter(({ podClass }) => podClass === each.podClass).reduce((sum, { count }) => sum + count, 0),
          );
          expect([...used.slice(0, columns.length)]).toEqual([...totalsOf(list, Float64Array.from(there), columns.length)]);
          for (let type = nextBit(fit.types, 0); type >= 0; type = nextBit(fit.types, type + 1)) {
            columns.forEach(({ amounts }, resource) => expect(used[resource]).toBeLessThanOrEqual(amounts[type] ?? 0));
          }
        }
        expect(list.map(({ podClass }) => packed.get(podClass))).toEqual(list.map(({ count }) => count));
      }),
      { numRuns: 20 },
    );
  });

  test('is aborted once its nodes cost as much as the best so far, and where a pod fits no machine', () => {
    const list = Array.from({ length: 30 }, (_, index) => aPodBatch(1, 3000 + 1100 * index, (6 + index) * GIB)).slice(0, 25);
    const cost = costOfNodes(packGreedily(list) ?? []);
    expect(packGreedily(list, { costToBeat: cost + 1e-9 })).toBeDefined();
    expect(packGreedily(list, { costToBeat: cost / 2 })).toBeUndefined();
    expect(packGreedily([...list, aPodBatch(1, 33_000, GIB)])).toBeUndefined();
    expect(packGreedily(list, { isAllowed: () => false })).toBeUndefined();
  });

  test('is aborted by what equal nodes cost together', () => {
    const list = [aPodBatch(401, 700, 2 * GIB)];
    const cost = costOfNodes(packGreedily(list) ?? []);
    expect(packGreedily(list, { costToBeat: cost })).toBeDefined();
    expect(packGreedily(list, { costToBeat: cost / 2 })).toBeUndefined();
  });

  /** The machines that were filled for each node. */
  const filledForEach = (list: readonly PodBatch[]): number => {
    let filled = 0;
    const isAllowed = (): boolean => {
      filled++;
      return true;
    };
    const newNodes = packGreedily(list, { isAllowed }) ?? [];
    return filled / newNodes.length;
  };

  test('tries few machines for a node after single ones, and for pods that need a node each', () => {
    expect(filledForEach(ofManySizes(200))).toBeLessThan(5);
    expect(filledForEach(withSeats(plainAndLone, columns.length))).toBeLessThan(2);
  });

  test('pauses now and then, however many nodes it takes', () => {
    const start = aStart(...machines);
    const steps = packingGreedily(start, ofManySizes(2000), { allowedTypes: start.template.everyType, ...rules({}) });
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).toBeGreaterThan(10);
    expect(pauses).toBeLessThan(50);
  });

  test('buys no node below the least cpus, except for the last pods', () => {
    const list = [aPodBatch(400, 700, 2 * GIB)];
    const cpusOf = (newNodes: readonly NewNode[] | undefined): readonly number[] =>
      (newNodes ?? []).map(({ fit }) => machines[fit.cheapest.type]?.cpus ?? 0);
    const large = cpusOf(packGreedily(list, { leastCpuMillis: 15_000 }));
    const small = large.filter((cpus) => cpus < 16);
    expect(large.length - small.length).toBeGreaterThan(5);
    expect(small).toEqual([8, 4, 2]);
  });

  test('of pods that need a node each has about as many nodes as pods, of a size at which the others fill them', () => {
    const newNodes = packGreedily(withSeats(plainAndLone, columns.length), { shares: 1.3 }) ?? [];
    expect(newNodes.length).toBeLessThan(24);
    expect(Math.max(...newNodes.map(({ fit }) => machines[fit.cheapest.type]?.cpus ?? 0))).toBe(4);
    expect(costOfNodes(newNodes)).toBeLessThan(costOfNodes(packGreedily(plainAndLone, { leastCpuMillis: 7000 }) ?? []));
  });
});

describe('pods that each leave out a zone of their own', () => {
  /** A zone for each of the pods, and many more. */
  const zones = Array.from({ length: 200 }, (_, index) => `zone-${index}`);
  const leavingOut = (zone: string, cpuMillis: number): PodBatch => {
    const requirements = requirementsOf([{ key: labels.zone, operator: 'NotIn', values: [zone] }]);
    return { ...aPodBatch(1, cpuMillis, GIB), terms: [{ ...anywhere, text: zone, requirements }] };
  };
  const of = (count: number): readonly PodBatch[] => zones.slice(0, count).map((zone, index) => leavingOut(zone, 500 + index));

  const statesFor = (count: number): number => {
    const initial = aStart({ cpus: 64, memoryBytes: 256 * GIB, pricePerHour: 3, zones });
    finish(packingGreedily(initial, of(count), { allowedTypes: initial.template.everyType, ...rules({}) }));
    return initial.template.states.size;
  };

  test('lead to states that grow with their number, not with its square', () => {
    const [few, many] = [statesFor(40), statesFor(120)];
    expect(few).toBeGreaterThan(40);
    expect(many).toBeLessThan(few * 4);
  });
});
