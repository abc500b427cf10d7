import { describe, expect, test } from '@jest/globals';
import { aStart } from './testing/a-start.ts';
import { moved, movesFrom } from './mix-moves.ts';
import type { CostedMachine } from './mix-moves.ts';

const start = aStart({ cpus: 1, memoryBytes: 1, pricePerHour: 1 });
const machine = (cpus: number, cost = cpus): CostedMachine => ({
  option: { type: cpus, pricePerHour: cost, amounts: Float64Array.of(cpus, 4 * cpus) },
  start,
  cost,
});
const [two, four, eight] = [machine(2), machine(4), machine(8)];
const namesOf = (machines: readonly CostedMachine[]): readonly number[] => machines.map(({ cost }) => cost);

describe('the moves from a mix', () => {
  test('save something, and leave as much as the pods want', () => {
    const moves = movesFrom([eight, eight, four], [two, four, eight], Float64Array.of(15, 40));
    expect(moves.length).toBeGreaterThan(0);
    for (const move of moves) {
      const after = moved([eight, eight, four], move);
      expect(after.reduce((sum, { option }) => sum + (option.amounts[0] ?? 0), 0)).toBeGreaterThanOrEqual(15);
      expect(after.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(20 - move.saved, 9);
    }
  });

  test('begin with those that leave the most room', () => {
    const moves = movesFrom([eight, eight, four], [two], Float64Array.of(15, 40));
    expect(moves.map(({ out, into }) => [namesOf(out), namesOf(into)])).toEqual([
      [[4], []],
      [[4], [2]],
    ]);
    expect(moves.map(({ slack }) => slack.toFixed(3))).toEqual(['0.067', '0.200']);
  });

  test('take away two equal machines only where there are two', () => {
    const pairs = movesFrom([eight, four, four], [], Float64Array.of(1, 1)).map(({ out }) => namesOf(out));
    expect(pairs).toContainEqual([4, 4]);
    expect(pairs).not.toContainEqual([8, 8]);
  });
});
