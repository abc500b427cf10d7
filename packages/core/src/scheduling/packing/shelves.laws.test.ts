import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rung } from '../classes/rung.ts';
import { Shelves, totalsOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';
import { anywhere, aParcel } from './testing/a-parcel.ts';

const MIB = 2 ** 20;
const elsewhere: Rung = { ...anywhere, text: 'elsewhere' };
const RESOURCES = 4;

const parcels: fc.Arbitrary<readonly Parcel[]> = fc.array(
  fc
    .record({
      cpu: fc.integer({ min: 1, max: 64 }),
      mib: fc.integer({ min: 1, max: 4096 }),
      hasSeat: fc.boolean(),
      isElsewhere: fc.boolean(),
    })
    .map(({ cpu, mib, hasSeat, isElsewhere }): Parcel => {
      const plain = { ...aParcel(1, cpu * 50, mib * MIB), rungs: [isElsewhere ? elsewhere : anywhere] };
      if (!hasSeat) return plain;
      return { ...plain, resourceIds: Int32Array.of(...plain.resourceIds, 3), amounts: Float64Array.of(...plain.amounts, 1) };
    }),
  { minLength: 1, maxLength: 20 },
);

const demandIn = (list: readonly Parcel[]): Float64Array => totalsOf(list, new Float64Array(list.length).fill(1), RESOURCES);

/** What a parcel is of all that is wanted, resource by resource. */
const shares = ({ resourceIds, amounts }: Parcel, totals: Float64Array): readonly number[] =>
  [...resourceIds].map((resource, at) => (amounts[at] ?? 0) / Math.max(1, totals[resource] ?? 0));
const sizeOf = (parcel: Parcel, totals: Float64Array): number => shares(parcel, totals).reduce((sum, share) => sum + share, 0);

test('every parcel is on one shelf; those of a shelf ask for the same resources by the same rungs, and are of about one size and proportion', () => {
  fc.assert(
    fc.property(parcels, (list) => {
      const totals = demandIn(list);
      const { all } = new Shelves(list, totals);
      expect(all.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual([...list.keys()]);
      for (const { numbers, resourceIds, least } of all) {
        const own = numbers.flatMap((number) => list.slice(number, number + 1));
        const sizes = own.map((parcel) => sizeOf(parcel, totals));
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThanOrEqual(2.001);
        const proportions = own.map((parcel) => shares(parcel, totals)).map(([cpu = 0, memory = 0]) => memory / cpu);
        expect(Math.max(...proportions) / Math.min(...proportions)).toBeLessThanOrEqual(Math.SQRT2 * 1.001);
        expect(new Set(own.map(({ rungs }) => rungs[0]?.text)).size).toBe(1);
        for (const parcel of own) expect(parcel.resourceIds).toEqual(resourceIds);
        expect([...least]).toEqual([...least.keys()].map((at) => Math.min(...own.map(({ amounts }) => amounts[at] ?? 0))));
      }
    }),
  );
});

test('two that are alike are on one shelf, in the order in which they came', () => {
  const list = [aParcel(1, 100, MIB), aParcel(5, 100, MIB), aParcel(2, 100, MIB)];
  expect(new Shelves(list, demandIn(list)).all.map(({ numbers }) => numbers)).toEqual([[0, 1, 2]]);
});

test('what is taken away is on no shelf any more, and an empty shelf is none', () => {
  fc.assert(
    fc.property(parcels, fc.infiniteStream(fc.boolean()), (list, fates) => {
      const shelves = new Shelves(list, demandIn(list));
      const kept = [...list.keys()].filter((number) => {
        const [isKept] = fates.take(1);
        if (isKept !== true) shelves.remove(number);
        return isKept;
      });
      expect(shelves.all.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual(kept);
      expect(shelves.all.every(({ numbers }) => numbers.length > 0)).toBe(true);
    }),
  );
});
