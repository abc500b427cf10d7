import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newTrie, TrieWalk } from './trie.ts';
import type { TrieNode } from './trie.ts';

const walkAlong = (root: TrieNode<string>, parts: readonly unknown[], mostWords: number): TrieNode<string> | undefined => {
  const walk = new TrieWalk(root, mostWords);
  for (const part of parts) walk.along(part);
  return walk.end;
};

const endOf = (root: TrieNode<string>, ...parts: readonly unknown[]) => walkAlong(root, parts, Infinity);

const data = fc.jsonValue({ maxDepth: 3 });

test('two walks from one fork meet exactly where the data is equal, keys in their order', () => {
  fc.assert(
    fc.property(data, data, (a, b) => {
      const root = newTrie<string>();
      const areEqual = JSON.stringify(a) === JSON.stringify(b);
      expect(endOf(root, a) === endOf(root, b)).toBe(areEqual);
      expect(endOf(root, structuredClone(a))).toBe(endOf(root, a));
    }),
  );
});

test('what is said one after the other leads to one fork only where each part is equal', () => {
  fc.assert(
    fc.property(fc.array(data, { maxLength: 3 }), fc.array(data, { maxLength: 3 }), (a, b) => {
      fc.pre(a.length === b.length);
      const root = newTrie<string>();
      expect(endOf(root, ...a) === endOf(root, ...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

test.each([
  ['a list and a record with the same keys', ['a'], { 0: 'a' }],
  ['a record in a record and beside it', { a: { x: 'b' } }, { a: 'x', b: {} }],
  ['a number and its text', 1, '1'],
  ['lists that are cut elsewhere', [['a'], 'b'], [['a', 'b']]],
])('distinguishes %s', (_, a, b) => {
  const root = newTrie<string>();
  expect(endOf(root, a)).not.toBe(endOf(root, b));
});

test('a fork keeps the value that it was given', () => {
  const root = newTrie<string>();
  const node = endOf(root, { a: [1, 2] });
  if (node !== undefined) node.value = 'here';
  expect(endOf(root, { a: [1, 2] })?.value).toBe('here');
  expect(endOf(root, { a: [1] })?.value).toBeUndefined();
});

test('a walk along more words than it may take has no end, and adds no more nodes than those', () => {
  const root = newTrie<string>();
  expect(walkAlong(root, ['a', 'b', 'c', 'd'], 3)).toBeUndefined();
  expect(root.child?.child?.child).toBeDefined();
  expect(root.child?.child?.child?.child).toBeUndefined();
});
