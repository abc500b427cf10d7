import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MachineOption } from './unit-prices.ts';
import { machineFor, wholeMix } from './mix-moves.ts';
import type { PriceTable } from './mix-moves.ts';

const optionsOf = (...machines: readonly (readonly [cpu: number, gib: number, price: number])[]): readonly MachineOption[] =>
  machines.map(([cpu, gib, pricePerHour], type) => ({
    type,
    pricePerHour,
    machinePricePerHour: pricePerHour,
    amounts: Float64Array.of(cpu, gib),
  }));
const NODE_COST = 0.1;
const tableOf = (options: readonly MachineOption[]): PriceTable => ({
  options,
  costs: Float64Array.from(options, ({ pricePerHour }) => pricePerHour + NODE_COST),
});
const doubling = tableOf(optionsOf([2, 8, 2], [4, 16, 4], [8, 32, 8], [16, 64, 16]));
const costOfMix = (mix: readonly MachineOption[]): number => mix.reduce((sum, { pricePerHour }) => sum + pricePerHour, 0);
const anything = (): boolean => true;
/** One with much of both resources at a price, and two cheap ones with much of one of them. */
const oneOrTwo = (price: number): PriceTable => tableOf(optionsOf([10, 10, price], [10, 1, 1], [1, 10, 1]));
const typeNumbers = (mix: readonly MachineOption[] | undefined): readonly number[] | undefined => mix?.map(({ type }) => type);

describe('a whole mix', () => {
  test('has enough of everything', () => {
    const amount = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(amount, amount, amount), { minLength: 1, maxLength: 8 }),
        fc.tuple(amount, amount),
        (machines, wanted) => {
          const mix = wholeMix(Float64Array.from(wanted), tableOf(optionsOf(...machines))) ?? [];
          wanted.forEach((total, resource) => {
            expect(mix.reduce((sum, { amounts }) => sum + (amounts[resource] ?? 0), 0)).toBeGreaterThanOrEqual(total);
          });
        },
      ),
    );
  });

  test('ends with a machine of the size of the rest', () => {
    const mix = wholeMix(Float64Array.of(35, 80), doubling) ?? [];
    expect(mix.map(({ amounts }) => amounts[0])).toEqual([16, 16, 4]);
    expect(costOfMix(mix)).toBe(36);
  });

  test('has one machine for the rest where that costs at most half as much again as fractions of several', () => {
    expect(typeNumbers(wholeMix(Float64Array.of(8, 8), oneOrTwo(2)))).toEqual([0]);
    expect(typeNumbers(wholeMix(Float64Array.of(8, 8), oneOrTwo(5)))).toEqual([1, 2]);
  });

  test('leaves what is wanted as it was', () => {
    const wanted = Float64Array.of(35, 80);
    wholeMix(wanted, doubling);
    expect(wanted).toEqual(Float64Array.of(35, 80));
  });

  test('is impossible where no machine has some resource', () => {
    expect(wholeMix(Float64Array.of(1, 1), tableOf(optionsOf([4, 0, 1])))).toBeUndefined();
  });
});

describe('the machine for pods that found no room', () => {
  test('holds them all where that is not much dearer than fractions of machines', () => {
    expect(machineFor(Float64Array.of(3.5, 14), doubling, anything)?.amounts[0]).toBe(4);
  });

  test('may be filled to the brim, and is the cheapest that holds them, of equals the first', () => {
    expect(machineFor(Float64Array.of(4, 16), doubling, anything)?.amounts[0]).toBe(4);
    expect(machineFor(Float64Array.of(2, 8), doubling, anything)?.amounts[0]).toBe(2);
    const equals = tableOf(optionsOf([4, 16, 5], [4, 16, 4], [4, 16, 4]));
    expect(machineFor(Float64Array.of(4, 16), equals, anything)?.type).toBe(1);
  });

  test('is the one that fractions of machines have most of where one for all is dearer by a third', () => {
    expect(machineFor(Float64Array.of(8, 8), oneOrTwo(1.95), anything)?.type).toBe(0);
    expect(machineFor(Float64Array.of(8, 8), oneOrTwo(5), anything)?.type).toBe(1);
    const inAnyOrder = tableOf(optionsOf([8, 32, 8.5], [16, 64, 16], [4, 16, 4]));
    expect(machineFor(Float64Array.of(40, 160), inAnyOrder, anything)?.amounts[0]).toBe(16);
  });

  test('is any that has room for the first where no machine has some resource', () => {
    expect(machineFor(Float64Array.of(1, 1), tableOf(optionsOf([4, 0, 1])), anything)?.type).toBe(0);
  });

  test('is one of several where none holds them all', () => {
    expect(machineFor(Float64Array.of(40, 160), doubling, anything)?.amounts[0]).toBe(16);
  });

  test('has room for the first pod', () => {
    const table = tableOf(optionsOf([1, 100, 1], [100, 1, 1], [8, 8, 50]));
    const mayHold = ({ amounts }: MachineOption): boolean => (amounts[0] ?? 0) >= 5 && (amounts[1] ?? 0) >= 5;
    expect(machineFor(Float64Array.of(90, 90), table, mayHold)?.amounts).toEqual(Float64Array.of(8, 8));
    expect(machineFor(Float64Array.of(90, 90), table, () => false)).toBeUndefined();
  });
});
