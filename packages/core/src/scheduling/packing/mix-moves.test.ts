import { describe, expect, test } from '@jest/globals';
import { aStart } from './testing/a-start.ts';
import { mixAfter, movesFrom } from './mix-moves.ts';
import type { MixMachine } from './mix-filler.ts';

const start = aStart({ cpus: 1, memoryBytes: 1, pricePerHour: 1 });
const mixMachine = (cpus: number, cost = cpus): MixMachine => ({
  option: { type: cpus, machinePricePerHour: cost, pricePerHour: cost, amounts: Float64Array.of(cpus, 4 * cpus) },
  start,
});
const [two, four, eight] = [mixMachine(2), mixMachine(4), mixMachine(8)];
const pricesOfMachines = (machines: readonly MixMachine[]): readonly number[] => machines.map(({ option }) => option.pricePerHour);

describe('the moves from a mix', () => {
  test('save something, and leave as much as the pods want', () => {
    const moves = movesFrom([eight, eight, four], [two, four, eight], { totals: Float64Array.of(15, 40), nodeCostPerHour: 0 });
    expect(moves.length).toBeGreaterThan(0);
    for (const move of moves) {
      const after = mixAfter([eight, eight, four], move);
      expect(after.reduce((sum, { option }) => sum + (option.amounts[0] ?? 0), 0)).toBeGreaterThanOrEqual(15);
      expect(after.reduce((sum, { option }) => sum + option.pricePerHour, 0)).toBeCloseTo(20 - move.saved, 9);
    }
  });

  test('begin with those that leave the most room', () => {
    const moves = movesFrom([eight, eight, four], [two], { totals: Float64Array.of(15, 40), nodeCostPerHour: 0 });
    expect(moves.map(({ out, into }) => [pricesOfMachines(out), pricesOfMachines(into)])).toEqual([
      [[4], []],
      [[4], [2]],
    ]);
    expect(moves.map(({ slack }) => slack.toFixed(3))).toEqual(['0.067', '0.200']);
  });

  test('know what every machine has of every resource: a machine without an amount is a bug that shows', () => {
    const short = { ...two, option: { ...two.option, amounts: Float64Array.of(2) } };
    expect(() => movesFrom([eight, four], [short], { totals: Float64Array.of(9, 40), nodeCostPerHour: 0 })).toThrow(RangeError);
  });

  test('save the node too where fewer machines come than go', () => {
    const rules = { totals: Float64Array.of(16, 64), nodeCostPerHour: 0.5 };
    const [two8, one16] = [[eight, eight], mixMachine(16, 16.4)];
    expect(movesFrom(two8, [one16], { ...rules, nodeCostPerHour: 0 })).toEqual([]);
    expect(movesFrom(two8, [one16], rules).map(({ saved }) => saved.toFixed(3))).toEqual(['0.100']);
  });

  test('take away two equal machines only where there are two', () => {
    const pairs = movesFrom([eight, four, four], [], { totals: Float64Array.of(1, 1), nodeCostPerHour: 0 }).map(({ out }) =>
      pricesOfMachines(out),
    );
    expect(pairs).toContainEqual([4, 4]);
    expect(pairs).not.toContainEqual([8, 8]);
  });

  test('that leave about as much room stand in order of what they save, and no more than 25 of them', () => {
    const totals = Float64Array.of(1, 1);
    expect(movesFrom([four, eight], [], { totals, nodeCostPerHour: 0 }).map(({ out }) => pricesOfMachines(out))).toEqual([[8], [4]]);
    const many = Array.from({ length: 10 }, (_, index) => mixMachine(index + 1));
    const moves = movesFrom(many, [], { totals, nodeCostPerHour: 0 });
    expect(moves).toHaveLength(25);
    expect(moves.slice(0, 3).map(({ saved }) => saved)).toEqual([19, 18, 17]);
  });

  test('are made whatever there is of a resource that no pod wants, even nothing', () => {
    const withoutGpu = ({ option, ...rest }: MixMachine): MixMachine => ({
      ...rest,
      option: { ...option, amounts: Float64Array.of(...option.amounts, 0) },
    });
    const moves = movesFrom([withoutGpu(eight)], [withoutGpu(four)], { totals: Float64Array.of(4, 16, 0), nodeCostPerHour: 0 });
    expect(moves.map(({ into, slack }) => [pricesOfMachines(into), slack])).toEqual([[[4], 0]]);
  });
});
