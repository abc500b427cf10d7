import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { highestOf, lowestOf, sorting } from './ordering.ts';
import { finish } from './control-flow.ts';

interface Item {
  readonly rank: number;
  readonly id: number;
}

const byRank = (a: Item, b: Item): number => a.rank - b.rank;
const items = fc
  .array(fc.nat(50), { maxLength: 9000, size: 'max' })
  .map((ranks): readonly Item[] => ranks.map((rank, id) => ({ rank, id })));

test('sorts like the built-in sort, equal items in the order in which they came', () => {
  fc.assert(
    fc.property(items, (list) => expect(finish(sorting(list, byRank))).toEqual([...list].sort(byRank))),
    { numRuns: 30 },
  );
});

test('pauses often: no step compares more than a few tens of thousands of pairs', () => {
  const list = Array.from({ length: 100_000 }, (_, id): Item => ({ rank: (id * 7919) % 100_003, id }));
  let compared = 0;
  let most = 0;
  const counting = (a: Item, b: Item): number => {
    compared++;
    return byRank(a, b);
  };
  for (let steps = sorting(list, counting), step = steps.next(); step.done !== true; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(50_000);
});

test('leaves the list that it was given as it was', () => {
  const list = [3, 1, 2];
  expect(finish(sorting(list, (a, b) => a - b))).toEqual([1, 2, 3]);
  expect(list).toEqual([3, 1, 2]);
});

test('finds the highest and the lowest of more values than a call has room for', () => {
  const values = Array.from({ length: 500_000 }, (_, index) => index);
  expect([highestOf(values), lowestOf(values)]).toEqual([499_999, 0]);
  expect([highestOf([], 0), lowestOf([], 1), highestOf([]), lowestOf([])]).toEqual([0, 1, -Infinity, Infinity]);
});
