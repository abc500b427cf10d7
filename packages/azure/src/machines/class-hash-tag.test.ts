import { expect, test } from '@jest/globals';
import { nodeClassHashOf, NODE_CLASS_HASH_VERSION } from '../apis/index.ts';
import { classHashIn, classHashTagOf, keptClassHashTag, machineTags } from './machine-tags.ts';

const nodeClass = { spec: { osDiskSizeGB: 64 } };

test('a machine says by which class it was made, and goes on saying it', () => {
  const tags = { owner: 'web', ...classHashTagOf(nodeClass) };
  const expected = { version: NODE_CLASS_HASH_VERSION, hash: nodeClassHashOf(nodeClass) };
  expect(classHashIn(tags)).toEqual(expected);
  expect(classHashIn(keptClassHashTag(tags))).toEqual(expected);
  expect(Object.keys(keptClassHashTag(tags))).toEqual([machineTags.nodeClassHash]);
});

test.each([[{}], [{ [machineTags.nodeClassHash]: 'mine' }], [{ [machineTags.nodeClassHash]: 'ts-v1.' }]])(
  'tags %j do not say it',
  (tags) => {
    expect(classHashIn(tags)).toBeUndefined();
  },
);
