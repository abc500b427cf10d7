import { expect, test } from '@jest/globals';
import { withoutNulls } from './without-nulls.ts';

test('nulls go, at every depth, and what is false, zero or empty stays', () => {
  expect(withoutNulls({ a: null, b: { c: null, d: 0, e: '', f: false }, g: [null, { h: null }, []] })).toEqual({
    b: { d: 0, e: '', f: false },
    g: [{}, []],
  });
});

test('what holds no null is the same object, and so is each part that holds none', () => {
  const part = { list: [1, 'two'] };
  expect(withoutNulls(part)).toBe(part);
  expect(withoutNulls({ part, gone: null }).part).toBe(part);
});
