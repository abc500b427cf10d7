import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { aNodeClaim, aPodRequesting, podNames } from '../../testing/objects.ts';
import { overbookedPods, plannedPodsOf } from './nominations.ts';

const podRequesting = (name: string, requests: Readonly<Record<string, string>>): Pod => aPodRequesting(requests, name);
const room = { cpu: 4000, pods: 3 };

test('a claim may say of 1,000 pods that it was made for them, and no more', () => {
  const annotations = { 'karpenter.sh/planned-pods': Array.from({ length: 5000 }, (_, index) => `pod-${index}`).join() };
  expect(plannedPodsOf(aNodeClaim('a', { metadata: { annotations } }))).toHaveLength(1000);
});

describe('of the pods that are nominated for a node', () => {
  const [a, b] = [podRequesting('a', { cpu: '2' }), podRequesting('b', { cpu: '1' })];
  const cases: readonly [string, readonly Pod[], readonly Pod[], readonly string[]][] = [
    ['none are too many while all find room', [podRequesting('x', { cpu: '1' })], [a, b], []],
    ['those that came later give way', [podRequesting('x', { cpu: '2' })], [a, b], ['b']],
    ['a small one keeps its room beside a large one that has lost its own', [podRequesting('x', { cpu: '3' })], [a, b], ['a']],
    ['all have lost it on a full node', [podRequesting('x', { cpu: '4' })], [a, b], ['a', 'b']],
    ['one lacks a seat', [podRequesting('x', {}), podRequesting('y', {})], [a, b], ['b']],
    ['one lacks what the node turned out not to have', [], [podRequesting('c', { 'example.com/gpu': '1' }), b], ['c']],
    ['one that asks for no memory is not held up by those that have too much of it', [podRequesting('x', { memory: '1Gi' })], [b], []],
    ['one that cannot be read is left to the plan', [podRequesting('x', { cpu: 'much' })], [podRequesting('c', { cpu: 'more' }), a], []],
  ];
  test.each(cases)('%s', (...[, bound, coming, expected]) => {
    expect(podNames(overbookedPods({ allocatable: room, bound, coming }))).toEqual(expected);
  });

  test('one that has devices for an extended resource keeps its room: it was planned again and again', () => {
    const coming = [podRequesting('c', { 'example.com/gpu': '1' })];
    expect(overbookedPods({ allocatable: room, bound: [], coming, isOfDevices: (name) => name === 'example.com/gpu' })).toEqual([]);
  });
});
