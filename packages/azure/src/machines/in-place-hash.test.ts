import { expect, test } from '@jest/globals';
import { inPlaceHashOf } from './in-place-hash.ts';

const tags = {
  'karpenter.sh_nodepool': 'general',
  'compute.aks.billing': 'linux',
  'karpenter.azure.com_cluster': 'demo',
  team: 'web_shop',
};

// What the original's `HashFromNodeClaim` gives for the same, by a Go program of the same structs.
test.each([
  ['tags', { tags, identityIds: [] }, '365537771'],
  [
    'tags that Go escapes and sorts by bytes, and identities in another order',
    { tags: { é: 'a<b>&"\u2028x', a: '2', Z: '1' }, identityIds: ['/subscriptions/b/id2', '/subscriptions/a/id1'] },
    '3057096981',
  ],
  ['nothing', { tags: {}, identityIds: [] }, '1415952421'],
])('the hash of %s is the original’s', (_, goal, hash) => {
  expect(inPlaceHashOf(goal)).toBe(hash);
});

test('what stays while a machine runs is no part of it', () => {
  const kept = { 'karpenter.azure.com_aksnodeclass-hash': 'ts-v1.1', 'karpenter.azure.com_aksmachine_nodeclaim': 'general-a' };
  expect(inPlaceHashOf({ tags: { ...tags, ...kept }, identityIds: [] })).toBe('365537771');
});
