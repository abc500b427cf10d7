import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NewNode } from './new-node.ts';
import { NewNodeQueue } from './new-nodes.ts';

/** The queue reads nothing of a new node but how many pods it has. */
const withPods = (podCount: number): NewNode => ({ podCount }) as Partial<NewNode> as NewNode;

test('the node with the fewest pods is always on top, ties by number, while nodes fill up and drop out', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 30 }), fc.infiniteStream(fc.boolean()), (counts, fills) => {
      const newNodes = counts.map(withPods);
      const left = new Set(newNodes.keys());
      const queue = new NewNodeQueue(newNodes, [...left]);
      for (let round = 0; round < 60 && left.size > 0; round++) {
        const expected = [...left].sort((a, b) => (newNodes[a]?.podCount ?? 0) - (newNodes[b]?.podCount ?? 0) || a - b)[0] ?? -1;
        expect(queue.top).toBe(expected);
        const newNode = newNodes[expected];
        if (newNode !== undefined && fills.next().value === true) {
          newNode.podCount++;
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
