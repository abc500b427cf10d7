import { describe, expect, test } from '@jest/globals';
import { isLabelKey, isLabelValue, labelDomainOf, labelSelectorMatcher, matchesLabelSelector } from './selectors.ts';
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
  ])('%s', (_, selector, picked) => {
    expect(matchesLabelSelector(selector, web)).toBe(picked);
    expect(labelSelectorMatcher(selector, () => new Set(['web']))(web)).toBe(picked);
  });

  test('an object without labels by an empty selector', () => expect(matchesLabelSelector({})).toBe(true));
});

describe('a selector with 10,000 values that 1,000 objects are compared with', () => {
  const valuesUpTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `v-${index}`);
  const objects = valuesUpTo(1000).map((_, index) => `v-${index * 20}`);
  const answersFor = (operator: 'In' | 'NotIn', expected: readonly string[] = objects) => {
    let walks = 0;
    const values = Object.assign(valuesUpTo(10_000), {
      includes: (value: string) => {
        walks += 1;
        return valuesUpTo(10_000).includes(value);
      },
    });
    const matches = labelSelectorMatcher({ matchExpressions: [{ key: 'app', operator, values }] }, () => new Set(expected));
    const picked = objects.filter((app) => matches({ app })).length;
    return { picked, walks };
  };

  test('picks those that have one of the values', () => expect(answersFor('In').picked).toBe(500));
  test('picks those that have none of them', () => expect(answersFor('NotIn').picked).toBe(500));
  test('never walks the values', () => expect(answersFor('In').walks).toBe(0));
  test('keeps none that no object was expected to have: those of the last ten are walked, and picked all the same', () =>
    expect(answersFor('NotIn', objects.slice(0, -10))).toEqual({ picked: 500, walks: 10 }));
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
