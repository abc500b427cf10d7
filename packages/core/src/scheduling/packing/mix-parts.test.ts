import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { NodeState } from '../nodes/node-model.ts';
import { nextState } from '../nodes/node-state.ts';
import { packingGreedily } from './greedy-packing.ts';
import { candidatesOf, withoutLargerMachines, leastCostOf, mixParts } from './mix-parts.ts';
import type { MixPart } from './mix-parts.ts';
import type { PodBatch } from './pod-batch.ts';
import { aPodBatch, anywhere } from './testing/a-pod-batch.ts';
import { aStart } from './testing/a-start.ts';
import { NODE_COST_PER_HOUR, nodeCost, worthOf } from './unit-prices.ts';

const GIB = 2 ** 30;
/** Five machines of eight cpus, none of them a better buy for every load, and two of two. */
const sold = [
  ...[16, 24, 32, 40, 48].map((gib) => ({ cpus: 8, memoryBytes: gib * GIB, pricePerHour: 0.3 + (gib / 100) ** 2 })),
  ...[4, 8].map((gib) => ({ cpus: 2, memoryBytes: gib * GIB, pricePerHour: 0.1 + gib / 400 })),
].map((machine) => ({ ...machine, zones: ['z1', 'z2'] }));
const start = aStart(...sold);
const termInZone = (zone: string): NodeTerm => ({ ...anywhere, text: zone, requirements: labelRequirements({ [labels.zone]: zone }) });
const [z1, z2] = [termInZone('z1'), termInZone('z2')];
const batchBy = (...terms: readonly NodeTerm[]): PodBatch => ({ ...aPodBatch(40, 1000, 4 * GIB), terms });

const partsOf = (batches: readonly PodBatch[], initial: NodeState = start): readonly MixPart[] | undefined =>
  mixParts(batches, initial, { allowedTypes: initial.template.everyType, nodeCostPerHour: 0.01 });
const onlyPart = (batch: PodBatch): MixPart => {
  const [part] = partsOf([batch]) ?? [];
  if (part === undefined) throw new Error('There is no part');
  return part;
};

describe('the parts of a mix', () => {
  test('are the pods with equal terms, from the state that a single term leads to', () => {
    const [first, second, either, also] = [batchBy(z1), batchBy(z2), batchBy(z1, z2), batchBy(z1)];
    const parts = partsOf([first, second, either, also]) ?? [];
    expect(parts.map(({ batches }) => batches)).toEqual([[first, also], [second], [either]]);
    expect(parts.map((part) => part.start)).toEqual([nextState(start, z1), nextState(start, z2), start]);
  });

  test('are at most eight, and none where one of them finds no machine', () => {
    const sets = Array.from({ length: 9 }, (_, index) => batchBy({ ...anywhere, text: `set ${index}` }));
    expect(partsOf(sets.slice(1))).toHaveLength(8);
    expect(partsOf(sets)).toBeUndefined();
    const dry = aStart(
      { cpus: 8, memoryBytes: 16 * GIB, pricePerHour: 1, zones: ['z1'] },
      { cpus: 8, memoryBytes: 0, pricePerHour: 1, zones: ['z2'] },
    );
    expect(partsOf([batchBy(z1)], dry)).toHaveLength(1);
    expect(partsOf([batchBy(z1), batchBy(z2)], dry)).toBeUndefined();
  });
});

test('a table without larger machines has those up to the size, each at its cost', () => {
  const { table } = onlyPart(batchBy(anywhere));
  const small = withoutLargerMachines(table, 2000);
  expect(small.options).toEqual(table.options.filter(({ amounts }) => amounts[0] === 2000));
  expect(small.options.length).toBeGreaterThan(0);
  expect([...small.costs]).toEqual(small.options.map(({ machinePricePerHour }) => machinePricePerHour + 0.01));
  expect(withoutLargerMachines(table, 8000)).toEqual(table);
  expect(withoutLargerMachines(table, 1999).options).toEqual([]);
});

test('the machines that a move may bring in are the three of each size that cost least for what they are worth', () => {
  const part = onlyPart(batchBy(anywhere));
  const { table, unitPrices } = part;
  const bestOf = (cpuMillis: number): readonly number[] =>
    [...table.options.keys()]
      .filter((index) => table.options[index]?.amounts[0] === cpuMillis)
      .map((index) => ({
        type: table.options[index]?.type ?? -1,
        ratio: (table.costs[index] ?? 0) / worthOf(table.options[index] ?? { amounts: unitPrices }, unitPrices),
      }))
      .sort((a, b) => a.ratio - b.ratio)
      .slice(0, 3)
      .map(({ type }) => type);
  const candidates = candidatesOf(part);
  const chosenOf = (cpuMillis: number): readonly number[] =>
    candidates.filter(({ option }) => option.amounts[0] === cpuMillis).map(({ option }) => option.type);
  expect(chosenOf(8000)).toHaveLength(3);
  expect(chosenOf(8000)).toEqual(bestOf(8000));
  expect(chosenOf(2000)).toEqual(bestOf(2000));
});

describe('the least that any packing costs', () => {
  const leastOf = (...batches: readonly PodBatch[]): number => leastCostOf(batches, start, start.template.everyType);
  const [two, eight] = [0.1 + 4 / 400, 0.3 + 0.16 ** 2];

  test('is what the cheapest node for the pod costs that needs the dearest, by the cheapest of its terms', () => {
    const [small, large] = [aPodBatch(1, 1500, GIB), aPodBatch(1, 7000, GIB)];
    expect(leastOf(small)).toBeCloseTo(two + NODE_COST_PER_HOUR);
    expect(leastOf(aPodBatch(1, 500, GIB), large)).toBeCloseTo(eight + NODE_COST_PER_HOUR);
    const nowhere = termInZone('z9');
    expect(leastOf({ ...small, terms: [nowhere, z1] })).toBeCloseTo(two + NODE_COST_PER_HOUR);
    expect(leastOf({ ...small, terms: [nowhere] })).toBe(Number.POSITIVE_INFINITY);
    const seat = start.template.columns.length;
    const alone = { ...small, resourceIds: Int32Array.of(0, 1, 2, seat), amounts: Float64Array.of(1500, GIB, 1, 1) };
    expect(leastOf(alone)).toBeCloseTo(two + NODE_COST_PER_HOUR);
  });

  test('is what the resource costs that costs most where machines sell it for least', () => {
    expect(leastOf(aPodBatch(100, 800, 1))).toBeCloseTo((80 / 8) * (eight + NODE_COST_PER_HOUR));
    const most = 0.3 + 0.48 ** 2;
    expect(leastOf(aPodBatch(100, 1, 4.8 * GIB))).toBeCloseTo((480 / 48) * (most + NODE_COST_PER_HOUR));
  });

  test('counts no sum of volumes that pods share', () => {
    const plain = aPodBatch(100, 800, 1);
    const sharing = { ...plain, podClass: { ...plain.podClass, shared: [{ claim: 'data', resource: 1 }] } };
    expect(leastOf(sharing)).toBeCloseTo(two + NODE_COST_PER_HOUR);
  });

  test('is never more than a packing costs', () => {
    const batch = fc
      .record({ count: fc.integer({ min: 1, max: 30 }), cpu: fc.integer({ min: 1, max: 8000 }), gib: fc.integer({ min: 1, max: 48 }) })
      .map(({ count, cpu, gib }) => aPodBatch(count, cpu, gib * GIB));
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 4 }), (batches) => {
        const allowedTypes = start.template.everyType;
        const rules = { allowedTypes, leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, costToBeat: Number.POSITIVE_INFINITY };
        const packed = finish(packingGreedily(start, batches, { ...rules, effort: { tries: 100_000 }, isAllowed: () => true }));
        const cost = packed?.reduce((sum, { fit }) => sum + nodeCost(fit), 0) ?? Number.POSITIVE_INFINITY;
        expect(leastOf(...batches)).toBeLessThanOrEqual(cost + 1e-9);
      }),
    );
  });
});
