import { expect, test } from '@jest/globals';
import type { ValueSet } from '../../requirements/index.ts';
import { firstValueOf } from './first-value.ts';

const but = (bounds: { readonly gte?: number; readonly lte?: number }, ...values: readonly string[]): ValueSet => ({
  kind: 'not-in',
  values: new Set(values),
  ...bounds,
});

test.each<[string, ValueSet, string | undefined]>([
  ['of a list the first by name', { kind: 'in', values: new Set(['b', 'a', 'c']) }, 'a'],
  ['of an empty list none', { kind: 'in', values: new Set() }, undefined],
  ['of any value zero', but({}), '0'],
  ['of all but some the first that is left', but({}, '0', '1', '3'), '2'],
  ['from a lower bound on that bound', but({ gte: 7 }), '7'],
  ['from a lower bound on the first that is not excluded', but({ gte: -2 }, '-2', '-1'), '0'],
  ['up to a bound above zero, zero', but({ lte: 5 }), '0'],
  ['up to a bound below zero, that bound', but({ lte: -3 }), '-3'],
  ['of a range with every value excluded, none', but({ gte: 1, lte: 2 }, '1', '2'), undefined],
])('the first value is, %s', (_, values, expected) => expect(firstValueOf(values)).toBe(expected));
