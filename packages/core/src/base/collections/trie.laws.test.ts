import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newTrie, descend } from './trie.ts';

const data = fc.jsonValue({ maxDepth: 3 });

test('two walks from one fork meet exactly where the data is equal, keys in their order', () => {
  fc.assert(
    fc.property(data, data, (a, b) => {
      const root = newTrie<string>();
      const areEqual = JSON.stringify(a) === JSON.stringify(b);
      expect(descend(root, a) === descend(root, b)).toBe(areEqual);
      expect(descend(root, structuredClone(a))).toBe(descend(root, a));
    }),
  );
});

test('what is said one after the other leads to one fork only where each part is equal', () => {
  fc.assert(
    fc.property(fc.array(data, { maxLength: 3 }), fc.array(data, { maxLength: 3 }), (a, b) => {
      fc.pre(a.length === b.length);
      const root = newTrie<string>();
      const [endOfA, endOfB] = [a, b].map((parts) => parts.reduce(descend<string>, root));
      expect(endOfA === endOfB).toBe(JSON.stringify(a) === JSON.stringify(b));
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
  expect(descend(root, a)).not.toBe(descend(root, b));
});

test('a fork keeps the value that it was given', () => {
  const root = newTrie<string>();
  descend(root, { a: [1, 2] }).value = 'here';
  expect(descend(root, { a: [1, 2] }).value).toBe('here');
  expect(descend(root, { a: [1] }).value).toBeUndefined();
});
