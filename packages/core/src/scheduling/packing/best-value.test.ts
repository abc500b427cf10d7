import { describe, expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import { resourceRanks } from '../../catalog/index.ts';
import type { Group } from '../topology/group.ts';
import { BestValue } from './best-value.ts';
import type { Buy, PackingRules } from './best-value.ts';
import type { Remaining } from './node-filler.ts';
import { SizeClasses, ordering, withSeats, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { aPodBatch } from './testing/a-pod-batch.ts';
import { aStart } from './testing/a-start.ts';

const GIB = 2 ** 30;

/** Eighteen machines, three of each size. */
const start = aStart(
  ...[1, 2, 4, 8, 16, 32].flatMap((cpus) =>
    [2, 4, 8].map((gib) => ({ cpus, memoryBytes: cpus * gib * GIB, pricePerHour: cpus * (0.03 + 0.005 * gib) })),
  ),
);
const seats = new Float64Array(start.template.catalog.types.length).fill(1);
const columns = [...start.template.columns, { amounts: seats, ranks: resourceRanks(seats) }];
const plain = [aPodBatch(400, 500, 2 * GIB)];
const group = { text: 'lone' } as Partial<Group> as Group;
const lone: PodBatch = { ...aPodBatch(20, 100, GIB / 8), host: { antiAffinity: [group], spreads: [], countedBy: [group] } };
const beside = withSeats([lone, aPodBatch(150, 500, GIB)], start.template.columns.length);

interface Search {
  readonly remaining: Remaining;
  /** The next buy, and how many machines were filled to find it. */
  readonly next: (isHasty: boolean) => { readonly buy: Buy | undefined; readonly filled: number };
}

const searchFor = (batches: readonly PodBatch[], rules: Partial<PackingRules> = {}, tries = 1_000_000): Search => {
  const counts = Float64Array.from(batches, ({ count }) => count);
  const totals = totalsOf(batches, counts, columns.length);
  const effort = { tries };
  const remaining = { batches, columns, counts, totals, sizeClasses: new SizeClasses(finish(ordering(batches, totals))), effort };
  let filled = 0;
  const isAllowed = (): boolean => {
    filled++;
    return true;
  };
  const all = { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, costToBeat: Number.POSITIVE_INFINITY };
  const bestValue = new BestValue(start, remaining, { allowedTypes: start.template.everyType, ...all, effort, isAllowed, ...rules });
  return {
    remaining,
    next: (isHasty) => {
      filled = 0;
      const buy = bestValue.best(isHasty);
      return { buy, filled };
    },
  };
};

/** As if this share of all that remains were packed. */
const shrink = ({ totals }: Remaining, share: number): void =>
  totals.forEach((amount, resource) => (totals[resource] = amount * (1 - share)));

describe('the best value for what remains', () => {
  test('is that of twelve machines, of five where pods need a node each', () => {
    expect(searchFor(plain).next(false).filled).toBe(12);
    expect(searchFor(beside).next(false).filled).toBe(5);
  });

  test('once no tries are left is that of two machines, or of one', () => {
    expect(searchFor(plain, {}, 0).next(false).filled).toBe(2);
    expect(searchFor(beside, {}, 0).next(false).filled).toBe(1);
  });

  test.each([
    { share: 'a twelfth', batches: plain, favourites: 2, tried: 12, stale: 0.08 },
    { share: 'a twentieth, where pods need a node each,', batches: beside, favourites: 1, tried: 5, stale: 0.05 },
  ])('in haste is that of the favourites until about $share was packed since', ({ batches, favourites, tried, stale }) => {
    const { remaining, next } = searchFor(batches);
    expect(next(true).filled).toBe(tried);
    expect(next(true).filled).toBe(favourites);
    shrink(remaining, stale - 0.01);
    expect(next(true).filled).toBe(favourites);
    expect(next(false).filled).toBe(tried);
    shrink(remaining, stale + 0.01);
    expect(next(true).filled).toBe(tried);
  });

  test('costs the least for what it is worth', () => {
    const { buy } = searchFor(plain).next(false);
    expect(buy?.option.amounts[0]).toBeGreaterThanOrEqual(8000);
    // Four GiB for a cpu, as the pods want.
    expect((buy?.option.amounts[1] ?? 0) / (buy?.option.amounts[0] ?? 1)).toBeCloseTo((4 * GIB) / 1000, -3);
  });

  test('is no machine of less cpu than the rules say, until less than four times as much remains', () => {
    const least = { leastCpuMillis: 8000 };
    expect(searchFor([aPodBatch(64, 500, 2 * GIB)], least).next(false).filled).toBe(9);
    expect(searchFor([aPodBatch(63, 500, 2 * GIB)], least).next(false).filled).toBe(12);
  });

  test('where pods need a node each is worth no more than so many shares of what remains', () => {
    const mostCpu = (shares: number): number => searchFor(beside, { shares }).next(false).buy?.option.amounts[0] ?? 0;
    expect(mostCpu(1.3)).toBeLessThanOrEqual(4000);
    expect(mostCpu(Number.POSITIVE_INFINITY)).toBeGreaterThan(4000);
    expect(searchFor(plain, { shares: 0.001 }).next(false).filled).toBe(12);
  });
});
