import { expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { defaultSelectors, podSelectorOf } from './pod-selector.ts';
import type { PodSelector, SelectingObject } from './pod-selector.ts';

type Selector = NonNullable<SelectingObject['spec']>['selector'];

const by = (kind: PodSelector['kind'], name: string, selector?: Selector): PodSelector =>
  podSelectorOf(kind, { metadata: { name }, ...(selector === undefined ? {} : { spec: { selector } }) });

const labels = { app: 'web', tier: 'front', hash: 'abc' };
const ownedPod = (owner?: readonly [apiVersion: string, kind: string]): Pod => ({
  metadata: {
    name: 'web-1',
    labels,
    ...(owner === undefined
      ? {}
      : { ownerReferences: [{ apiVersion: owner[0], kind: owner[1], name: 'owner', uid: 'u', controller: true }] }),
  },
  spec: { containers: [] },
});
type Question = readonly [podSelectors: readonly PodSelector[], pod: Pod];
const owned = ownedPod(['apps/v1', 'ReplicaSet']);

test.each<readonly [string, Question, unknown]>([
  ['nothing where nothing picks it', [[], ownedPod()], undefined],
  ['what a Service picks', [[by('Service', 'a', { app: 'web' })], ownedPod()], { matchLabels: { app: 'web' }, matchExpressions: [] }],
  [
    'what all Services that pick it pick together',
    [[by('Service', 'b', { tier: 'front' }), by('Service', 'a', { app: 'web' }), by('Service', 'c', { app: 'db' })], ownedPod()],
    { matchLabels: { app: 'web', tier: 'front' }, matchExpressions: [] },
  ],
  ['nothing for a Service of another namespace', [[{ ...by('Service', 'a', { app: 'web' }), namespace: 'shop' }], ownedPod()], undefined],
  ['nothing for a Service without a selector', [[by('Service', 'a'), by('Service', 'b', {})], ownedPod()], undefined],
  [
    'what its ReplicaSet picks, beside the Services',
    [
      [
        by('Service', 'a', { app: 'web' }),
        by('ReplicaSet', 'owner', { matchLabels: { hash: 'abc' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }),
      ],
      owned,
    ],
    {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'hash', operator: 'In', values: ['abc'] },
        { key: 'tier', operator: 'Exists' },
      ],
    },
  ],
  [
    'what its StatefulSet picks',
    [[by('StatefulSet', 'owner', { matchLabels: { app: 'web' } })], ownedPod(['apps/v1', 'StatefulSet'])],
    { matchLabels: {}, matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] },
  ],
  [
    'what its ReplicationController says, over what the Services say',
    [
      [by('Service', 'a', { app: 'web' }), by('ReplicationController', 'owner', { app: 'other', hash: 'abc' })],
      ownedPod(['v1', 'ReplicationController']),
    ],
    { matchLabels: { app: 'other', hash: 'abc' } },
  ],
  ['nothing for a ReplicaSet that is not its owner', [[by('ReplicaSet', 'other', { matchLabels: { app: 'web' } })], owned], undefined],
  [
    'nothing for an owner of another API group',
    [[by('ReplicaSet', 'owner', { matchLabels: { app: 'web' } })], ownedPod(['example.com/v1', 'ReplicaSet'])],
    undefined,
  ],
  [
    'nothing for an owner that only refers to it',
    [
      [by('ReplicaSet', 'owner', { matchLabels: { app: 'web' } })],
      {
        ...owned,
        metadata: { name: 'web-1', labels, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner', uid: 'u' }] },
      },
    ],
    undefined,
  ],
  ['nothing for a selector that picks everything', [[by('ReplicaSet', 'owner', {})], owned], undefined],
])('a pod is one of %s', (_, [podSelectors, one], selector) => {
  const selectorOf = defaultSelectors(podSelectors);
  expect(selectorOf(one)?.selector).toEqual(selector);
  // The second answer comes from memory.
  expect(selectorOf(one)?.selector).toEqual(selector);
  expect(defaultSelectors(podSelectors.toReversed())(one)?.text).toBe(selectorOf(one)?.text);
});
