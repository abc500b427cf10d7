import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Draft } from './draft.ts';
import { DraftQueue } from './open-drafts.ts';

/** The queue reads nothing of a draft but how many pods it has. */
const withPods = (podCount: number): Draft => ({ podCount }) as Partial<Draft> as Draft;

test('the node with the fewest pods is always on top, ties by number, while nodes fill up and drop out', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 30 }), fc.infiniteStream(fc.boolean()), (counts, fills) => {
      const drafts = counts.map(withPods);
      const left = new Set(drafts.keys());
      const queue = new DraftQueue(drafts, [...left]);
      for (let round = 0; round < 60 && left.size > 0; round++) {
        const expected = [...left].sort((a, b) => (drafts[a]?.podCount ?? 0) - (drafts[b]?.podCount ?? 0) || a - b)[0] ?? -1;
        expect(queue.top).toBe(expected);
        const draft = drafts[expected];
        if (draft !== undefined && fills.next().value === true) {
          draft.podCount++;
          queue.reorderTop();
        } else {
          left.delete(expected);
          queue.drop();
        }
      }
      if (left.size === 0) expect(queue.top).toBeUndefined();
    }),
  );
});
