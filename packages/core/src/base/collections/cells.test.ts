import { expect, test } from '@jest/globals';
import { addAt, amountAt, idAt, itemAt, wordAt } from './cells.ts';

test('a cell gives what stands in it, zero too', () => {
  expect(amountAt(Float64Array.of(0, 1.5), 1)).toBe(1.5);
  expect(idAt(Int32Array.of(0, 7), 0)).toBe(0);
  expect(wordAt(Uint32Array.of(0xffffffff), 0)).toBe(0xffffffff);
  expect(itemAt(['', 'b'], 0)).toBe('');
});

test.each([-1, 2, 0.5, Number.NaN])('a cell that is not there throws with its index: %p', (index) => {
  expect(() => amountAt(Float64Array.of(1, 2), index)).toThrow(`there is no cell ${index}: the column has 2`);
  expect(() => idAt(Int32Array.of(1, 2), index)).toThrow(RangeError);
  expect(() => wordAt(Uint32Array.of(1, 2), index)).toThrow(RangeError);
  expect(() => itemAt(['a', 'b'], index)).toThrow(RangeError);
});

test('an amount is added to its cell alone, and to none that is not there', () => {
  const cells = Float64Array.of(1, 2);
  addAt(cells, 1, -0.5);
  expect([...cells]).toEqual([1, 1.5]);
  expect(() => addAt(cells, 2, 1)).toThrow(RangeError);
});
