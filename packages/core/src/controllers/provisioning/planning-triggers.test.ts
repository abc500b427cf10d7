import { describe, expect, test } from '@jest/globals';
import type { CacheChange } from '@karpenter/runtime';
import type { NodePool } from '../../apis/index.ts';
import { allowsMore } from './planning-triggers.ts';

const aPool = (ready: 'True' | 'False', generation = 1): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general', generation },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const key = { name: 'general' };
const updated = (previous: NodePool, object: NodePool): CacheChange<NodePool> => ({ type: 'updated', key, previous, object });

describe('pods that found no place are checked again', () => {
  test.each<[string, CacheChange<NodePool>, boolean]>([
    ['when a pool becomes ready', updated(aPool('False'), aPool('True')), true],
    ['when a person edits a ready pool, say its limit', updated(aPool('True', 1), aPool('True', 2)), true],
    ['not when only the status of a ready pool changes', updated(aPool('True'), aPool('True')), false],
    ['not when a pool that is not ready is edited', updated(aPool('False', 1), aPool('False', 2)), false],
    ['not when a pool stops being ready', updated(aPool('True'), aPool('False')), false],
    ['when a ready pool appears', { type: 'added', key, object: aPool('True') }, true],
    ['not when a pool goes', { type: 'deleted', key, object: aPool('True') }, false],
  ])('%s', (_name, change, expected) => {
    expect(allowsMore(change)).toBe(expected);
  });
});
