import { expect, test } from '@jest/globals';
import { conditionIn, putCondition } from './conditions.ts';

const ready = { type: 'Ready', status: 'True' };

test.each<[string, unknown]>([
  ['a text', 'a'],
  ['a list of texts and nothing', ['a', null]],
])('a status whose conditions are %s has none, and gets one', (_, conditions) => {
  expect(conditionIn(conditions as readonly (typeof ready)[], 'Ready')).toBeUndefined();
  expect(putCondition(conditions as readonly (typeof ready)[], ready, 'now')).toEqual([{ ...ready, lastTransitionTime: 'now' }]);
});
