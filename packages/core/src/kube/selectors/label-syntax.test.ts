import { expect, test } from '@jest/globals';
import { isLabelKey, isLabelValue, labelDomainOf } from './label-syntax.ts';

test.each([
  ['app', true],
  ['karpenter.sh/nodepool', true],
  ['a_b.c-d', true],
  ['-a', false],
  ['a/b/c', false],
  ['/a', false],
  ['Upper.Domain/a', false],
  ['', false],
  ['x'.repeat(64), false],
])('label key "%s": %s', (key, valid) => expect(isLabelKey(key)).toBe(valid));

test.each([
  ['', true],
  ['web-1.2_3', true],
  ['web-', false],
  ['a b', false],
  ['x'.repeat(64), false],
])('label value "%s": %s', (value, valid) => expect(isLabelValue(value)).toBe(valid));

test('the domain is what stands before the slash', () => expect([labelDomainOf('a.b/c'), labelDomainOf('c')]).toEqual(['a.b', '']));
