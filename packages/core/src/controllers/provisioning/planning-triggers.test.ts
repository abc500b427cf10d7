import { describe, expect, test } from '@jest/globals';
import type { CacheChange } from '@karpenter/runtime';
import type { NodePool } from '../../apis/index.ts';
import { aNodePool } from '../../testing/objects.ts';
import { allowsMore } from './planning-triggers.ts';

const poolThatIs = (ready: 'True' | 'False', generation = 1): NodePool =>
  aNodePool('general', { metadata: { generation }, status: { conditions: [{ type: 'Ready', status: ready }] } });
const key = { name: 'general' };
const updated = (previous: NodePool, object: NodePool): CacheChange<NodePool> => ({ type: 'updated', key, previous, object });

describe('pods that found no place are checked again', () => {
  test.each<[string, CacheChange<NodePool>, boolean]>([
    ['when a pool becomes ready', updated(poolThatIs('False'), poolThatIs('True')), true],
    ['when a person edits a ready pool, say its limit', updated(poolThatIs('True', 1), poolThatIs('True', 2)), true],
    ['not when only the status of a ready pool changes', updated(poolThatIs('True'), poolThatIs('True')), false],
    ['not when a pool that is not ready is edited', updated(poolThatIs('False', 1), poolThatIs('False', 2)), false],
    ['not when a pool stops being ready', updated(poolThatIs('True'), poolThatIs('False')), false],
    ['when a ready pool appears', { type: 'added', key, object: poolThatIs('True') }, true],
    ['not when a pool goes', { type: 'deleted', key, object: poolThatIs('True') }, false],
  ])('%s', (_name, change, expected) => {
    expect(allowsMore(change)).toBe(expected);
  });
});
