import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addResources, firstShortage, fits, isZero, maxResources, subtractResources, sumResources } from './resources.ts';

const resources = fc.dictionary(fc.constantFrom('cpu', 'memory', 'pods', 'gpu'), fc.integer({ min: 0, max: 1_000_000 }));

test('adding commutes, and subtracting takes it back', () => {
  fc.assert(
    fc.property(resources, resources, (a, b) => {
      expect(addResources(a, b)).toEqual(addResources(b, a));
      expect(isZero(subtractResources(subtractResources(addResources(a, b), b), a))).toBe(true);
    }),
  );
});

test('a sum is the same as adding one by one', () => {
  fc.assert(fc.property(fc.array(resources), (all) => expect(sumResources(all)).toEqual(all.reduce(addResources, {}))));
});

test('both of two fit into their maximum, and a part fits where the sum does', () => {
  fc.assert(
    fc.property(resources, resources, (a, b) => {
      expect(fits(a, maxResources(a, b)) && fits(b, maxResources(a, b))).toBe(true);
      expect(fits(a, addResources(a, b))).toBe(true);
    }),
  );
});

test('wanting nothing of what is overdrawn or unknown fits; wanting something does not', () => {
  expect(fits({ cpu: 0, gpu: 0 }, { cpu: -5 })).toBe(true);
  expect(firstShortage({ cpu: 1 }, { cpu: -5 })).toBe('cpu');
  expect(firstShortage({ gpu: 1 }, { cpu: 5 })).toBe('gpu');
});
