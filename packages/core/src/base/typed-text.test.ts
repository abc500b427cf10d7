import { describe, expect, test } from '@jest/globals';
import { groupedDigits, nearestText } from './typed-text.ts';

const known = ['0', 'eastus-1', 'eastus-2', 'westeurope-1', 'arm64', 'amd64'];

describe('what was probably meant', () => {
  test.each([
    ['a letter left out', 'eatus-2', 'eastus-2'],
    ['two letters swapped', 'eatsus-1', 'eastus-1'],
    ['another case', 'Eastus-2', 'eastus-2'],
    ['the first by name of two that are as near', 'eastus-9', 'eastus-1'],
    ['one slip in a short text', 'adm64', 'amd64'],
    ['nothing that is near', 'southindia', undefined],
    ['two slips are too many in a short text', 'arm64', undefined],
    ['nothing for nothing', '', undefined],
  ])('%s', (_, text, meant) => {
    expect(nearestText(text, known)).toBe(meant);
  });
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-1_234_567, '-1,234,567'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
  [1234.5, '1234.5'],
])('the count %d is written %s', (count, expected) => {
  expect(groupedDigits(count)).toBe(expected);
});
