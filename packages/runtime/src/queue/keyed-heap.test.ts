import { expect, test } from '@jest/globals';
import { keyedHeap } from './keyed-heap.ts';

interface Entry {
  readonly key: string;
  readonly at: number;
}

const byTime = (a: Entry, b: Entry): number => a.at - b.at;

test('gives each key once, by the value it was set to last', () => {
  const heap = keyedHeap<Entry>(byTime);
  for (const [key, at] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 0],
  ] as const)
    heap.set({ key, at });
  heap.delete('c');
  expect([heap.size, heap.get('a')]).toEqual([2, { key: 'a', at: 3 }]);
  expect([heap.pop(), heap.peek(), heap.pop(), heap.pop()]).toEqual([
    { key: 'b', at: 2 },
    { key: 'a', at: 3 },
    { key: 'a', at: 3 },
    undefined,
  ]);
});

test('a key that is due in a month and set again all the time leaves nothing behind', () => {
  const heap = keyedHeap<Entry>(byTime);
  heap.set({ key: 'soon', at: 0 });
  for (let at = 1; at < 10_000; at += 1) heap.set({ key: 'later', at });
  expect(heap.held).toBeLessThan(100);
  for (let at = 1; at < 10_000; at += 1) {
    heap.set({ key: `gone ${at}`, at });
    heap.delete(`gone ${at}`);
  }
  expect([heap.size, heap.pop()?.key, heap.pop()?.key, heap.pop()]).toEqual([2, 'soon', 'later', undefined]);
});
