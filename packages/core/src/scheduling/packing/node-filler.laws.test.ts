import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import { nextState } from '../nodes/node-state.ts';
import type { Group } from '../topology/group.ts';
import { Filler, stateWith } from './node-filler.ts';
import type { Load, Remaining } from './node-filler.ts';
import { SizeClasses, ordering, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { aPodBatch, anywhere } from './testing/a-pod-batch.ts';
import { aStart } from './testing/a-start.ts';

const GIB = 2 ** 30;

const start = aStart(
  { cpus: 8, memoryBytes: 16 * GIB, pricePerHour: 0.4 },
  { cpus: 4, memoryBytes: 32 * GIB, pricePerHour: 0.4 },
  { cpus: 16, memoryBytes: 32 * GIB, pricePerHour: 0.8 },
);
const { columns } = start.template;

const remainingOf = (batches: readonly PodBatch[]): Remaining => {
  const counts = Float64Array.from(batches, ({ count }) => count);
  const totals = totalsOf(batches, counts, columns.length);
  return { batches, columns, counts, totals, sizeClasses: new SizeClasses(finish(ordering(batches, totals))), effort: { tries: 100_000 } };
};

/** Batch number → count of a load. */
const countsIn = ({ numbers, counts }: Load, batches: readonly PodBatch[]): readonly number[] =>
  batches.map((_, number) => counts[numbers.indexOf(number)] ?? 0);

/** Batch number → count on a machine of this type. */
const loadedOn = (type: number, batches: readonly PodBatch[], from = start): readonly number[] =>
  countsIn(new Filler(from, remainingOf(batches)).fill(type), batches);

const batches = fc.array(
  fc
    .record({ count: fc.integer({ min: 1, max: 60 }), cpu: fc.integer({ min: 1, max: 60 }), memory: fc.integer({ min: 1, max: 80 }) })
    .map(({ count, cpu, memory }) => aPodBatch(count, cpu * 100, memory * 2 ** 28)),
  { minLength: 1, maxLength: 12 },
);
const types = fc.nat({ max: 2 });

test('a load takes no more than remains, and no more than the machine holds; what remains is unchanged', () => {
  fc.assert(
    fc.property(batches, types, (wanted, type) => {
      const remaining = remainingOf(wanted);
      const load = new Filler(start, remaining).fill(type);
      const counts = countsIn(load, wanted);
      expect(new Set(load.numbers).size).toBe(load.counts.length);
      expect([...remaining.counts]).toEqual(wanted.map(({ count }) => count));
      counts.forEach((count, number) => expect(count).toBeLessThanOrEqual(wanted[number]?.count ?? 0));
      expect([...load.used]).toEqual([...totalsOf(wanted, Float64Array.from(counts), columns.length)]);
      columns.forEach(({ amounts }, resource) => expect(load.used[resource]).toBeLessThanOrEqual(amounts[type] ?? 0));
      expect(load.state).toBe(start);
    }),
  );
});

test('it continues until nothing that remains fits', () => {
  fc.assert(
    fc.property(batches, types, (wanted, type) => {
      const load = new Filler(start, remainingOf(wanted)).fill(type);
      const counts = countsIn(load, wanted);
      const room = columns.map(({ amounts }, resource) => (amounts[type] ?? 0) - (load.used[resource] ?? 0));
      const left = wanted.filter(({ count }, number) => count > (counts[number] ?? 0));
      expect(left.filter(({ amounts }) => amounts.every((amount, resource) => amount <= (room[resource] ?? 0)))).toEqual([]);
    }),
  );
});

test('what was filled before does not matter: each load is the same as from a fresh filler', () => {
  fc.assert(
    fc.property(batches, fc.array(types, { minLength: 2, maxLength: 4 }), (wanted, list) => {
      const remaining = remainingOf(wanted);
      const used = new Filler(start, remaining);
      for (const type of list) expect(used.fill(type)).toEqual(new Filler(start, remaining).fill(type));
    }),
  );
});

test('pods that go well together fill a machine to the brim, however many there are of either', () => {
  expect(loadedOn(0, [aPodBatch(20, 3000, 2 * GIB), aPodBatch(20, 1000, 6 * GIB)])).toEqual([2, 2]);
  expect(loadedOn(0, [aPodBatch(20, 1000, 6 * GIB), aPodBatch(2, 3000, 2 * GIB)])).toEqual([2, 2]);
  expect(loadedOn(2, [aPodBatch(20, 3000, 2 * GIB), aPodBatch(20, 1000, 6 * GIB)])).toEqual([4, 4]);
  expect(loadedOn(0, [aPodBatch(300, 150, GIB / 8), aPodBatch(300, 50, (3 * GIB) / 8)])).toEqual([44, 28]);
});

test('of two that go as well, the larger comes first', () => {
  expect(loadedOn(0, [aPodBatch(20, 1000, 2 * GIB), aPodBatch(1, 5000, 10 * GIB)])).toEqual([3, 1]);
  expect(loadedOn(0, [aPodBatch(1, 3000, 6 * GIB), aPodBatch(1, 5000, 10 * GIB), aPodBatch(1, 4000, 8 * GIB)])).toEqual([1, 1, 0]);
});

test('a node takes one of pods that avoid their own kind, and none beside pods that they avoid', () => {
  const [own, others] = ['own', 'others'].map((text): Group => ({ text }) as Partial<Group> as Group);
  if (own === undefined || others === undefined) throw new Error('two groups were made');
  const rules = { antiAffinity: [own], spreads: [], countedBy: [own] };
  const lone: PodBatch = { ...aPodBatch(20, 1000, 2 * GIB), host: rules };
  const small = aPodBatch(20, 500, GIB);
  expect(loadedOn(0, [lone, small])).toEqual([1, 14]);
  expect(loadedOn(0, [lone, { ...small, host: { antiAffinity: [own], spreads: [], countedBy: [others] } }])).toEqual([1, 0]);
});

test('of a long list of sizes a few are tried for each node, and no more the longer it is', () => {
  const triesFor = (count: number): number => {
    const remaining = remainingOf(Array.from({ length: count }, (_, index) => aPodBatch(1, 6000 + index, 12 * GIB)));
    new Filler(start, remaining).fill(0);
    return 100_000 - remaining.effort.tries;
  };
  // The first fits; then not even the smallest does, which takes no more than one try to find.
  expect(triesFor(1)).toBe(3);
  expect(triesFor(1000)).toBe(4);
});

describe('terms', () => {
  const zonal = aStart(
    { cpus: 8, memoryBytes: 16 * GIB, pricePerHour: 0.4, zones: ['z1', 'z2'] },
    { cpus: 8, memoryBytes: 16 * GIB, pricePerHour: 0.4, zones: ['z3'] },
  );
  const inZone = (zone: string): NodeTerm => ({ ...anywhere, text: zone, requirements: labelRequirements({ [labels.zone]: zone }) });
  const [z1, z2, z3] = ['z1', 'z2', 'z3'].map(inZone);
  if (z1 === undefined || z2 === undefined || z3 === undefined) throw new Error('There are three zones');
  const batchIn = (...terms: readonly NodeTerm[]): PodBatch => ({ ...aPodBatch(20, 1000, 2 * GIB), terms });

  test('of a pod settle a node where its type is cheapest, and nowhere that it is not sold', () => {
    expect(stateWith(zonal, [z2, z1], 0)).toBe(nextState(zonal, z1));
    expect(stateWith(zonal, [z3, z2], 0)).toBe(nextState(zonal, z2));
    expect(stateWith(zonal, [z3], 0)).toBeUndefined();
    expect(stateWith(zonal, [z1, z2], 1)).toBeUndefined();
  });

  test('keep pods of other zones away once a node is settled, and let those that go anywhere join', () => {
    expect(loadedOn(0, [batchIn(z3)], zonal)).toEqual([0]);
    const larger = { ...aPodBatch(3, 1500, 3 * GIB), terms: [anywhere] };
    expect(loadedOn(0, [batchIn(z1), batchIn(z2), larger], zonal)).toEqual([3, 0, 3]);
    const largest = { ...aPodBatch(1, 5000, 10 * GIB), terms: [z2] };
    expect(loadedOn(0, [batchIn(z1), largest, larger], zonal)).toEqual([0, 1, 2]);
  });
});
