import { expect, test } from '@jest/globals';
import { portionsOf } from './chunks.ts';

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
])('portions of at most three of %j are %j', (items: readonly number[], portions: readonly (readonly number[])[]) => {
  expect(portionsOf(items, 3)).toEqual(portions);
});
