import { expect, test } from '@jest/globals';
import type { Requirement } from '../../requirements/index.ts';
import { onlyValueOf } from './only-value.ts';

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
