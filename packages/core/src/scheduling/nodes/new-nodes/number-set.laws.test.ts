import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextInAll, NumberSet } from './new-node-index.ts';

const numberSetOf = (numbers: Iterable<number>): NumberSet => {
  const set = new NumberSet();
  for (const number of numbers) set.add(number);
  return set;
};

const numbers = fc.uniqueArray(fc.nat(300), { maxLength: 80 });

test('the walk over common members is that over plain sets', () => {
  fc.assert(
    fc.property(numbers, fc.array(numbers, { maxLength: 2 }), fc.nat(320), (first, others, from) => {
      const expected = first.filter((each) => each >= from && others.every((other) => other.includes(each))).sort((a, b) => a - b)[0];
      expect(nextInAll(numberSetOf(first), others.map(numberSetOf), from)).toBe(expected ?? -1);
    }),
  );
});

test('what is taken out is gone, and the size is that of what is left', () => {
  fc.assert(
    fc.property(numbers, numbers, (added, taken) => {
      const set = numberSetOf([...added, ...added]);
      for (const number of taken) set.delete(number);
      const left = added.filter((each) => !taken.includes(each));
      expect(set.size).toBe(left.length);
      expect(nextInAll(set, [], 0)).toBe(left.length === 0 ? -1 : Math.min(...left));
    }),
  );
});
