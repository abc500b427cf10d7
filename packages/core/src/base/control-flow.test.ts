import { expect, test } from '@jest/globals';
import { chunksOf } from './control-flow.ts';

test.each([
  [[], []],
  [[1, 2], [[1, 2]]],
  [
    [1, 2, 3, 4, 5],
    [
      [1, 2, 3],
      [4, 5],
    ],
  ],
  [
    [1, 2, 3, 4, 5, 6],
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  ],
])('portions of at most three of %j are %j', (items: readonly number[], chunks: readonly (readonly number[])[]) => {
  expect(chunksOf(items, 3)).toEqual(chunks);
});
