import { describe, expect, test } from '@jest/globals';
import { shapeProblem, withoutNulls } from './shape.ts';
import type { Shape } from './shape.ts';

const shape: Shape = {
  fields: { name: 'text', size: 'amount', count: 'number', tags: { list: 'text' }, labels: { record: 'text' } },
  needs: ['name'],
};

describe('the first value that is of another sort than it should be', () => {
  test.each<[string, unknown, string, string]>([
    ['no object', 'pod', '', '"pod"'],
    ['a list in place of an object', [], '', '"[]"'],
    ['a field that has to be there', {}, 'name', '"undefined": must be there'],
    ['a number in place of a text', { name: 1 }, 'name', '"1": must be a text; write numbers and booleans in quotes'],
    ['an object in place of an amount', { name: 'a', size: { a: 1 } }, 'size', '"{"a":1}": must be a number, or a text that says one'],
    ['a text in place of a number', { name: 'a', count: '1' }, 'count', '"1": must be a number'],
    ['what is no number at all', { name: 'a', count: Number.NaN }, 'count', '"null": must be a number'],
    ['a text in place of a list', { name: 'a', tags: 'x' }, 'tags', '"x": must be a list'],
    ['an entry of a list', { name: 'a', tags: ['x', true] }, 'tags[1]', '"true": must be a text'],
    ['a list in place of a record', { name: 'a', labels: ['x'] }, 'labels', '"["x"]": must be an object'],
    ['a value of a record', { name: 'a', labels: { tier: 2 } }, 'labels.tier', '"2": must be a text'],
    ['a long value, cut', { name: 'a', tags: 'x'.repeat(200) }, 'tags', `"${'x'.repeat(60)}…"`],
  ])('%s', (...[, value, field, text]) => {
    const found = shapeProblem(shape, value, '');
    expect(found?.field).toBe(field);
    expect(`"${found?.value}": ${found?.problem}`).toContain(text);
  });

  test('fields are named from where the value stands', () => {
    expect(shapeProblem(shape, { name: 'a', tags: [1] }, 'spec')?.field).toBe('spec.tags[0]');
  });

  test.each<[string, unknown]>([
    ['all of it', { name: 'a', size: '1Gi', count: 2, tags: ['x'], labels: { tier: 'front' } }],
    ['an amount that is a number', { name: 'a', size: 2 }],
    ['what is missing', { name: 'a', tags: undefined }],
    ['what nobody checks', { name: 'a', other: 1 }],
  ])('%s is no problem', (_, value) => {
    expect(shapeProblem(shape, value, '')).toBeUndefined();
  });
});

describe('without nulls', () => {
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
});
