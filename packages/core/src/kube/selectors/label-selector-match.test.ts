import { describe, expect, test } from '@jest/globals';
import { matchesLabelSelector } from './label-selector-match.ts';
import type { LabelSelector } from './selector.ts';

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
