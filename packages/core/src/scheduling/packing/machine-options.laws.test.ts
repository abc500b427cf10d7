import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addBit, emptyBitSet } from '../../base/index.ts';
import { aStart } from './testing/a-start.ts';
import type { Machine } from '../testing/a-template.ts';
import { worthOf } from './unit-prices.ts';
import type { MachineOption } from './unit-prices.ts';
import { machineOptionsOf, shortlistOf } from './machine-options.ts';

const GIB = 2 ** 30;

const machines: fc.Arbitrary<readonly Machine[]> = fc.array(
  fc
    .record({ cpus: fc.constantFrom(1, 2, 3, 4, 8, 16), gib: fc.integer({ min: 1, max: 64 }), cents: fc.integer({ min: 1, max: 90 }) })
    .map(({ cpus, gib, cents }) => ({ cpus, memoryBytes: gib * GIB, pricePerHour: cents / 100 })),
  { minLength: 1, maxLength: 14 },
);

/** Cpus to the power of two; three cpus are nearer to four. */
const soldSize = ({ cpus }: Machine): number => (cpus === 3 ? 4 : cpus);

test('a machine options has every machine that is allowed, once, by size and with its price', () => {
  fc.assert(
    fc.property(machines, fc.nat(), (list, without) => {
      const start = aStart(...list);
      const types = emptyBitSet(list.length);
      const allowed = list.flatMap((_, type) => (list.length > 1 && type === without % list.length ? [] : [type]));
      for (const type of allowed) addBit(types, type);
      const { sizes, frontier, wideFrontier } = machineOptionsOf(start, { id: 'some', types });
      const options = sizes.flat();
      expect(options.map(({ type }) => type).toSorted((a, b) => a - b)).toEqual(allowed);
      for (const { type, pricePerHour } of options) expect(pricePerHour).toBe(list[type]?.pricePerHour);
      for (const ofSize of sizes) expect(new Set(ofSize.flatMap(({ type }) => list.slice(type, type + 1).map(soldSize))).size).toBe(1);
      expect(sizes).toHaveLength(new Set(allowed.flatMap((type) => list.slice(type, type + 1).map(soldSize))).size);
      for (const each of [frontier, wideFrontier]) expect(each.every((option) => options.includes(option))).toBe(true);
    }),
  );
});

test('the best values of cpu alone and of memory alone are on the frontier, of each size on the wide one', () => {
  fc.assert(
    fc.property(machines, (list) => {
      const start = aStart(...list);
      const { sizes, frontier, wideFrontier } = machineOptionsOf(start, start.template.everyType);
      const least = (types: readonly number[], priceOf: (machine: Machine) => number): number =>
        Math.min(...types.flatMap((type) => list.slice(type, type + 1).map(priceOf)));
      const typesOf = (options: readonly { readonly type: number }[]): readonly number[] => options.map(({ type }) => type);
      // At the ends of the scale a unit of the one is worth 256 times a unit of the other: hardly anything else counts.
      const perCpu = ({ pricePerHour, cpus, memoryBytes }: Machine): number => pricePerHour / (cpus * 1000 + memoryBytes / 2 ** 28);
      const perByte = ({ pricePerHour, cpus, memoryBytes }: Machine): number => pricePerHour / (cpus * 1000 + memoryBytes / 2 ** 12);
      for (const priceOf of [perCpu, perByte]) {
        expect(least(typesOf(frontier), priceOf)).toBe(least([...list.keys()], priceOf));
        for (const ofSize of sizes) {
          const ownBest = wideFrontier.filter((option) => ofSize.includes(option));
          expect(least(typesOf(ownBest), priceOf)).toBe(least(typesOf(ofSize), priceOf));
        }
      }
    }),
  );
});

test('a machine that costs more than another and has less of everything is never the best value of its size', () => {
  const start = aStart(
    { cpus: 4, memoryBytes: 16 * GIB, pricePerHour: 0.2 },
    { cpus: 4, memoryBytes: 8 * GIB, pricePerHour: 0.3 },
    { cpus: 4, memoryBytes: 16 * GIB, pricePerHour: 0.2 },
    { cpus: 2, memoryBytes: 4 * GIB, pricePerHour: 0.3 },
  );
  const { frontier, wideFrontier } = machineOptionsOf(start, start.template.everyType);
  expect(frontier.map(({ type }) => type)).toEqual([0]);
  expect(wideFrontier.map(({ type }) => type).toSorted()).toEqual([0, 3]);
});

test('of each size the three best values are on the list, the best first, and of equals the first', () => {
  const prices = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(machines, prices, (list, [cpu, memory]) => {
      const start = aStart(...list);
      const unitPrices = Float64Array.of(cpu / 1e5, memory / 1e11, 0);
      const machineOptions = machineOptionsOf(start, start.template.everyType);
      const ratioOf = (option: MachineOption): number => option.pricePerHour / worthOf(option, unitPrices);
      const best = machineOptions.sizes.flatMap((ofSize) => ofSize.toSorted((a, b) => ratioOf(a) - ratioOf(b)).slice(0, 3));
      expect(shortlistOf(machineOptions, unitPrices)).toEqual(best.toSorted((a, b) => ratioOf(a) - ratioOf(b)));
    }),
  );
});
