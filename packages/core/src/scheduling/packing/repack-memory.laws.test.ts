import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { Checks } from '../topology/group.ts';
import type { PodBatch } from './pod-batch.ts';
import { RepackMemory } from './repack-group.ts';
import { anywhere, aPodBatch } from './testing/a-pod-batch.ts';

const plain = aPodBatch(1, 1000, 2 ** 30);
const classes = [0, 1, 2].map((id): PodClass => ({ ...plain.podClass, id }));
const terms = ['', 'spot', 'zone 1'].map((text): NodeTerm => ({ ...anywhere, text }));
const checks = [undefined, ...[[1], [2]].map((keys) => ({ keys }) as Partial<Checks> as Checks)];

/** Packing adds up pods that were placed in the same way, so that no two batches are equal. */
const batches: fc.Arbitrary<readonly PodBatch[]> = fc
  .uniqueArray(
    fc.record({ podClass: fc.constantFrom(...classes), terms: fc.subarray(terms, { minLength: 1 }), checks: fc.constantFrom(...checks) }),
    {
      selector: (each) =>
        [classes.indexOf(each.podClass), each.terms.map(({ text }) => text).join('+'), checks.indexOf(each.checks)].join(),
      maxLength: 12,
    },
  )
  .map((list) => list.map((each) => ({ ...plain, ...each })));

const placedInAnyOrder = batches.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray([...list], { minLength: list.length }), fc.shuffledSubarray(classes, { minLength: 3 })),
);

test('pods to repack stand in one order, in whatever order a variant placed them', () => {
  fc.assert(
    fc.property(placedInAnyOrder, ([list, shuffled, order]) => {
      const memory = new RepackMemory(order.map((podClass) => ({ podClass, pods: [] })));
      expect(memory.inOrder(shuffled)).toEqual(memory.inOrder(list));
    }),
  );
});

test('pods to repack stand in the order of the pod groups of the question, and none is lost', () => {
  fc.assert(
    fc.property(placedInAnyOrder, ([list, shuffled, order]) => {
      const ordered = new RepackMemory(order.map((podClass) => ({ podClass, pods: [] }))).inOrder(shuffled);
      const groups = ordered.map(({ podClass }) => order.indexOf(podClass));
      expect(groups).toEqual(groups.toSorted((a, b) => a - b));
      expect(new Set(ordered)).toEqual(new Set(list));
    }),
  );
});
