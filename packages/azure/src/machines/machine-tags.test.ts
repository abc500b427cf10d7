import { describe, expect, test } from '@jest/globals';
import { isTaggedAsOfPool, machineTags, machineTagsOf, type TagSource } from './machine-tags.ts';

const tagsOf = (source: Partial<TagSource>) =>
  machineTagsOf({ clusterName: 'main', nodePoolName: 'general', additionalTags: {}, classTags: {}, ...source });

describe('when a class or the options name our marks', () => {
  const marks = Object.values(machineTags);
  test.each([
    ['as they are', marks],
    ['in other letters', marks.map((key) => key.toUpperCase())],
    ['as the labels that they stand for', marks.map((key) => key.replace('_', '/'))],
  ])('%s › those of the machine stay ours, and there is no other', (_, keys) => {
    const theirs = Object.fromEntries(keys.map((key) => [key, 'theirs']));
    expect(tagsOf({ classTags: theirs, additionalTags: theirs })).toEqual(tagsOf({}));
  });

  test('the machine is not taken for one of an agent pool, which would hide it', () => {
    expect(isTaggedAsOfPool(tagsOf({ classTags: { [machineTags.claim]: 'any' } }))).toBe(false);
  });
});

test('of keys that differ in case the class’s stays, because Azure takes them for one', () => {
  expect(tagsOf({ additionalTags: { Team: 'all', cost: '1' }, classTags: { team: 'web' } })).toEqual({
    ...tagsOf({}),
    ...{ team: 'web', cost: '1' },
  });
});
