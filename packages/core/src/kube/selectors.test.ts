import { describe, expect, test } from '@jest/globals';
import { isLabelKey, isLabelValue, labelDomainOf, matchesLabelSelector } from './selectors.ts';
import type { LabelSelector } from './selectors.ts';

const web = { app: 'web', tier: 'front' };

describe('a label selector picks', () => {
  test.each<[string, LabelSelector | undefined, boolean]>([
    ['nothing when absent', undefined, false],
    ['everything when empty', {}, true],
    ['equal labels', { matchLabels: { app: 'web' } }, true],
    ['not other values', { matchLabels: { app: 'db' } }, false],
    ['one of', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
    ['none of, when the label is missing', { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['a'] }] }, true],
    ['not what NotIn names', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    ['what has the label', { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    ['what lacks the label', { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    ['only when all hold', { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'team', operator: 'Exists' }] }, false],
  ])('%s', (_, selector, picked) => expect(matchesLabelSelector(selector, web)).toBe(picked));

  test('an object without labels by an empty selector', () => expect(matchesLabelSelector({})).toBe(true));
});

describe('label syntax', () => {
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
});
