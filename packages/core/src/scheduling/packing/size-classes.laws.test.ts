import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../base/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import { SizeClasses, ordering, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { anywhere, aPodBatch } from './testing/a-pod-batch.ts';

const MIB = 2 ** 20;
const elsewhere: NodeTerm = { ...anywhere, text: 'elsewhere' };
const RESOURCES = 4;

const batches: fc.Arbitrary<readonly PodBatch[]> = fc.array(
  fc
    .record({
      cpu: fc.integer({ min: 1, max: 64 }),
      mib: fc.integer({ min: 1, max: 4096 }),
      hasSeat: fc.boolean(),
      isElsewhere: fc.boolean(),
    })
    .map(({ cpu, mib, hasSeat, isElsewhere }): PodBatch => {
      const plain = { ...aPodBatch(1, cpu * 50, mib * MIB), terms: [isElsewhere ? elsewhere : anywhere] };
      if (!hasSeat) return plain;
      return { ...plain, resourceIds: Int32Array.of(...plain.resourceIds, 3), amounts: Float64Array.of(...plain.amounts, 1) };
    }),
  { minLength: 1, maxLength: 20 },
);

const requestedIn = (list: readonly PodBatch[]): Float64Array => totalsOf(list, new Float64Array(list.length).fill(1), RESOURCES);

/** What a batch is of all that is wanted, resource by resource. */
const shares = ({ resourceIds, amounts }: PodBatch, totals: Float64Array): readonly number[] =>
  [...resourceIds].map((resource, at) => (amounts[at] ?? 0) / Math.max(1, totals[resource] ?? 0));
const sizeOfBatch = (batch: PodBatch, totals: Float64Array): number => shares(batch, totals).reduce((sum, share) => sum + share, 0);

test('every batch is in one size class; those of a size class ask for the same resources by the same terms, and are of about one size and proportion', () => {
  fc.assert(
    fc.property(batches, (list) => {
      const totals = requestedIn(list);
      const { all } = new SizeClasses(finish(ordering(list, totals)));
      expect(all.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual([...list.keys()]);
      for (const { numbers, resourceIds, least } of all) {
        const own = numbers.flatMap((number) => list.slice(number, number + 1));
        const sizes = own.map((batch) => sizeOfBatch(batch, totals));
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThanOrEqual(2.001);
        const proportions = own.map((batch) => shares(batch, totals)).map(([cpu = 0, memory = 0]) => memory / cpu);
        expect(Math.max(...proportions) / Math.min(...proportions)).toBeLessThanOrEqual(Math.SQRT2 * 1.001);
        expect(new Set(own.map(({ terms }) => terms[0]?.text)).size).toBe(1);
        for (const batch of own) expect(batch.resourceIds).toEqual(resourceIds);
        expect([...least]).toEqual([...least.keys()].map((at) => Math.min(...own.map(({ amounts }) => amounts[at] ?? 0))));
      }
    }),
  );
});

test('two that are alike are in one size class, in the order in which they came', () => {
  const list = [aPodBatch(1, 100, MIB), aPodBatch(5, 100, MIB), aPodBatch(2, 100, MIB)];
  expect(new SizeClasses(finish(ordering(list, requestedIn(list)))).all.map(({ numbers }) => numbers)).toEqual([[0, 1, 2]]);
});

test('what is taken away is in no size class any more, and an empty size class is none', () => {
  fc.assert(
    fc.property(batches, fc.infiniteStream(fc.boolean()), (list, fates) => {
      const sizeClasses = new SizeClasses(finish(ordering(list, requestedIn(list))));
      const kept = [...list.keys()].filter((number) => {
        const [isKept] = fates.take(1);
        if (isKept !== true) sizeClasses.remove(number);
        return isKept;
      });
      expect(sizeClasses.all.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual(kept);
      expect(sizeClasses.all.every(({ numbers }) => numbers.length > 0)).toBe(true);
    }),
  );
});
