import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labels } from '../../apis/index.ts';
import { finish, nextBit } from '../../base/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { Group } from '../topology/group.ts';
import { differMuch, packingByMix } from './mix-search.ts';
import type { MixedPacking, MixRules } from './mix-search.ts';
import { withSeats, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { aPodBatch, anywhere } from './testing/a-pod-batch.ts';
import { aStart, costOfNodes } from './testing/a-start.ts';

const GIB = 2 ** 30;
const machines = [1, 2, 4, 8, 16, 32].flatMap((cpus) =>
  [2, 4, 8].map((gib) => ({ cpus, memoryBytes: cpus * gib * GIB, pricePerHour: cpus * (0.03 + 0.005 * gib) })),
);
const { columns } = aStart(...machines).template;

const packAt = (nodePricePerHour: number, batches: readonly PodBatch[], rest: Partial<MixRules> = {}): MixedPacking | undefined => {
  const { template, ...state } = aStart(...machines);
  const start = { ...state, template: { ...template, nodePricePerHour } };
  const rules = { allowedTypes: template.everyType, isAllowed: () => true, effort: { tries: 1_000_000 }, ...rest };
  return finish(packingByMix(start, batches, rules));
};
const packByMix = (batches: readonly PodBatch[], rest: Partial<MixRules> = {}): MixedPacking | undefined => packAt(0, batches, rest);
const bestOf = (packing: MixedPacking | undefined): readonly NewNode[] => packing?.packings[0] ?? [];
const countsOf = ({ runs }: NewNode, batches: readonly PodBatch[]): Float64Array =>
  Float64Array.from(batches, ({ podClass }) => runs.reduce((sum, run) => sum + (run.podClass === podClass ? run.count : 0), 0));

const batches = fc.array(
  fc
    .record({ count: fc.integer({ min: 1, max: 40 }), cpu: fc.integer({ min: 1, max: 60 }), gib: fc.integer({ min: 1, max: 60 }) })
    .map(({ count, cpu, gib }) => aPodBatch(count, cpu * 100, (gib * GIB) / 4)),
  { minLength: 1, maxLength: 10 },
);
const manySizes = Array.from({ length: 60 }, (_, index) =>
  aPodBatch(8, 50 + ((index * 37) % 60) * 20, (1 + ((index * 53) % 40)) * (GIB / 8)),
);
const group: Group = { text: 'web' } as Partial<Group> as Group;
const apart = { antiAffinity: [group], spreads: [], countedBy: [group] };

describe('a packing by mix', () => {
  test('has every pod once, on nodes that hold them', () => {
    fc.assert(
      fc.property(batches, (list) => {
        const { packings } = packByMix(list) ?? { packings: [[]] };
        for (const newNodes of packings) {
          const packed = new Float64Array(list.length);
          for (const newNode of newNodes) {
            const counts = countsOf(newNode, list);
            counts.forEach((count, index) => (packed[index] = (packed[index] ?? 0) + count));
            expect(newNode.podCount).toBe(counts.reduce((sum, count) => sum + count, 0));
            const load = totalsOf(list, counts, columns.length);
            expect([...newNode.used.slice(0, columns.length)]).toEqual([...load]);
            for (let type = nextBit(newNode.fit.types, 0); type >= 0; type = nextBit(newNode.fit.types, type + 1))
              load.forEach((amount, resource) => expect(columns[resource]?.amounts[type] ?? 0).toBeGreaterThanOrEqual(amount));
          }
          expect([...packed]).toEqual(list.map(({ count }) => count));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('costs no less than fractions of machines, and little more where there are hundreds of pods of many sizes', () => {
    const packing = packByMix(manySizes);
    expect(costOfNodes(bestOf(packing))).toBeGreaterThanOrEqual(packing?.fluidCost ?? 0);
    expect(costOfNodes(bestOf(packing))).toBeLessThan(1.04 * (packing?.fluidCost ?? 0));
  });

  test('puts pods that stay apart on nodes of their own, and fills these with others', () => {
    const list = [{ ...aPodBatch(10, 100, GIB / 4), host: apart }, aPodBatch(60, 300, GIB)];
    const newNodes = bestOf(packByMix(withSeats(list, columns.length)));
    expect(newNodes.length).toBeGreaterThanOrEqual(10);
    for (const newNode of newNodes) expect(countsOf(newNode, list)[0]).toBeLessThanOrEqual(1);
    expect(newNodes.filter(({ podCount }) => podCount > 1).length).toBeGreaterThanOrEqual(9);
  });

  test('leaves a choice of mixes with fewer nodes', () => {
    const [cheapest = 0, ...others] = (packByMix(manySizes)?.packings ?? []).map(({ length }) => length);
    expect(Math.min(...others)).toBeLessThan(cheapest);
  });

  test('looks for mixes of fewer nodes from one more start where far fewer would do, and only there', () => {
    const nodes = (packByMix(manySizes)?.packings ?? []).map(({ length }) => length);
    const [cheapest = 0, fewer = 0, fewest = 0] = nodes;
    expect(nodes).toHaveLength(3);
    expect(fewer).toBeLessThan(cheapest / 1.5);
    expect(fewest).toBeLessThan(fewer);
    expect(packByMix([aPodBatch(3, 900, GIB)])?.packings).toHaveLength(2);
  });

  test('finds the same mixes whatever a node costs, and at most one more for a high price', () => {
    const mixesAt = (nodePricePerHour: number, list: readonly PodBatch[]): readonly unknown[] | undefined =>
      packAt(nodePricePerHour, list)?.packings.map((newNodes) => newNodes.map(({ fit, used }) => [fit.cheapest.type, ...used]));
    fc.assert(
      fc.property(batches, fc.integer({ min: 1, max: 100 }), (list, cents) => {
        const [free, priced] = [mixesAt(0, list) ?? [], mixesAt(cents / 100, list) ?? []];
        expect(priced.slice(0, free.length)).toEqual(free);
        expect(priced.length - free.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 20 },
    );
  });

  test('has one mix more for a price of a node that is beyond those of all searches', () => {
    const [free, priced] = [0, 5].map((each) => (packAt(each, manySizes)?.packings ?? []).map(({ length }) => length));
    expect(priced?.slice(0, 2)).toEqual(free?.slice(0, 2));
    expect(priced).toHaveLength((free?.length ?? 0) + 1);
  });

  test('has pods with other terms on machines that these allow, and the others on cheaper ones', () => {
    const sold = machines.map((machine) => ({ ...machine, zones: [machine.memoryBytes > 5 * machine.cpus * GIB ? 'z2' : 'z1'] }));
    const start = aStart(...sold);
    const inZone = { ...anywhere, text: 'z2', requirements: labelRequirements({ [labels.zone]: 'z2' }) };
    const list = [{ ...aPodBatch(40, 700, GIB), terms: [inZone] }, aPodBatch(7, 1900, 3 * GIB), aPodBatch(40, 300, GIB / 2)];
    const rules = { allowedTypes: start.template.everyType, isAllowed: () => true, effort: { tries: 1_000_000 } };
    const packing = finish(packingByMix(start, list, rules));
    const zoneOf = ({ fit }: NewNode): string | undefined => sold[fit.cheapest.type]?.zones[0];
    const newNodes = bestOf(packing);
    expect(newNodes.reduce((sum, { podCount }) => sum + podCount, 0)).toBe(87);
    for (const newNode of newNodes) if ((countsOf(newNode, list)[0] ?? 0) > 0) expect(zoneOf(newNode)).toBe('z2');
    expect(newNodes.map(zoneOf)).toContain('z1');
    expect(costOfNodes(newNodes)).toBeLessThan(1.15 * (packing?.fluidCost ?? 0));
    // Half of the tries are left for other attempts.
    expect(rules.effort.tries).toBeGreaterThanOrEqual(500_000);
    expect(rules.effort.tries).toBeLessThan(1_000_000);
  });

  test('has the fewest nodes of those that cost the same', () => {
    expect(bestOf(packByMix([aPodBatch(32, 900, 3.5 * GIB)]))).toHaveLength(1);
    expect(bestOf(packByMix([aPodBatch(4, 7900, 15 * GIB)]))).toHaveLength(1);
  });

  test('is not tried where the tries suffice for a few mixes only', () => {
    expect(packByMix([aPodBatch(5000, 1000, GIB)], { effort: { tries: 20_000 } })).toBeUndefined();
    // Eight nodes for eight pods: two tries each, twelve mixes, and half of the tries for mixes.
    const whole = [aPodBatch(8, 32_000, GIB)];
    expect(packByMix(whole, { effort: { tries: 384 } })?.packings[0]).toHaveLength(8);
    expect(packByMix(whole, { effort: { tries: 383 } })).toBeUndefined();
  });

  test('is none where a node may not be in the state that the pods ask for', () => {
    expect(packByMix([aPodBatch(3, 1000, GIB)], { isAllowed: () => false })).toBeUndefined();
  });

  test('is none where a pod fits no machine', () => {
    expect(packByMix([aPodBatch(1, 100_000, GIB)])).toBeUndefined();
  });

  test('is the same each time', () => {
    fc.assert(
      fc.property(batches, (list) => {
        const of = (packing: MixedPacking | undefined): unknown =>
          packing?.packings.map((newNodes) => newNodes.map(({ fit, used }) => [fit.cheapest.type, ...used]));
        expect(of(packByMix(list))).toEqual(of(packByMix(list)));
      }),
      { numRuns: 10 },
    );
  });
});

test.each([
  [5, 3, true],
  [3, 5, true],
  [4, 1, false],
  [6, 4, true],
  [5, 4, false],
  [20, 14, false],
  [21, 14, true],
])('numbers of nodes differ much from five on, and by half: %i and %i', (one, other, expected) =>
  expect(differMuch(one, other)).toBe(expected),
);
