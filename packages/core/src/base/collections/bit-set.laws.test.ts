import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addBit,
  addCommonInto,
  containsBits,
  countBits,
  emptyBitSet,
  fullBitSet,
  hasBit,
  haveCommonBit,
  intersectInto,
  isEmptyBitSet,
  nextBit,
} from './bit-set.ts';
import type { BitSet } from './bit-set.ts';

const SIZE = 100;
const members = fc.uniqueArray(fc.nat(SIZE - 1));
const bitSetOf = (numbers: readonly number[]): BitSet => {
  const set = emptyBitSet(SIZE);
  for (const number of numbers) addBit(set, number);
  return set;
};
const listOf = (set: BitSet): number[] => {
  const list: number[] = [];
  for (let i = nextBit(set, 0); i >= 0; i = nextBit(set, i + 1)) list.push(i);
  return list;
};
const ascending = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

describe('a bit set behaves like a set of numbers', () => {
  test('it walks its members in ascending order and counts them', () => {
    fc.assert(
      fc.property(members, (numbers) => {
        const set = bitSetOf(numbers);
        expect(listOf(set)).toEqual(ascending(numbers));
        expect(countBits(set)).toBe(numbers.length);
        expect(isEmptyBitSet(set)).toBe(numbers.length === 0);
      }),
    );
  });

  test('it intersects as sets do', () => {
    fc.assert(
      fc.property(members, members, members, (a, b, c) => {
        const common = a.filter((n) => b.includes(n));
        const both = bitSetOf(a);
        intersectInto(both, bitSetOf(b));
        expect(listOf(both)).toEqual(ascending(common));
        expect(haveCommonBit(bitSetOf(a), bitSetOf(b))).toBe(common.length > 0);
        expect(containsBits(bitSetOf(a), bitSetOf(b))).toBe(common.length === b.length);
        expect(containsBits(bitSetOf(a), both)).toBe(true);
        const joined = bitSetOf(c);
        addCommonInto(joined, bitSetOf(a), bitSetOf(b));
        expect(listOf(joined)).toEqual(ascending(new Set([...c, ...common])));
      }),
    );
  });

  test('a full set has every number below its size and none above', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        expect(listOf(fullBitSet(size))).toEqual(Array.from({ length: size }, (_, i) => i));
        expect(hasBit(fullBitSet(size), size - 1)).toBe(true);
        expect(hasBit(fullBitSet(size), size)).toBe(false);
      }),
    );
  });
});
