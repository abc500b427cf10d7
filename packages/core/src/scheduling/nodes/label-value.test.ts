import { expect, test } from '@jest/globals';
import type { Requirement, ValueSet } from '../../requirements/index.ts';
import { firstValueOf, onlyValueOf } from './node-model.ts';

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

const listing = (values: readonly string[], mayBeAbsent = false): Requirement => ({
  key: 'rack',
  values: { kind: 'in', values: new Set(values) },
  mayBeAbsent,
});

test.each<[string, Requirement, string | undefined]>([
  ['the one that is listed', listing(['a']), 'a'],
  ['none of two', listing(['a', 'b']), undefined],
  ['none of none', listing([]), undefined],
  ['none where the label may be missing', listing(['a'], true), undefined],
  ['none where all but one will do', { ...listing([]), values: { kind: 'not-in', values: new Set(['a']) } }, undefined],
])('the only value is %s', (_, requirement, expected) => expect(onlyValueOf(requirement)).toBe(expected));
