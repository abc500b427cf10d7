import { expect, test } from '@jest/globals';
import { isMissed } from './report.ts';

const figure = (value: number) => ({ case: 'a figure', figure: value, unit: 'x' });

test.each([
  ['within its bar', { ...figure(1), atMost: 2, atLeast: 0 }, false],
  ['without a bar', figure(Number.NaN), false],
  ['above the most', { ...figure(3), atMost: 2 }, true],
  ['below the least', { ...figure(3), atLeast: 4 }, true],
  ['no number, with a most', { ...figure(Number.NaN), atMost: 2 }, true],
  ['no number, with a least', { ...figure(Number.NaN), atLeast: 2 }, true],
])('a figure %s', (_, given, missed) => {
  expect(isMissed(given)).toBe(missed);
});
