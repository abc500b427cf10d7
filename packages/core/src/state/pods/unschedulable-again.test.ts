import { expect, test } from '@jest/globals';
import type { Condition, Pod } from '../../kube/index.ts';
import { isUnschedulableAgain } from './pod-transitions.ts';

const podWith = (condition?: Partial<Condition>): Pod => ({
  metadata: { name: 'web' },
  spec: { containers: [] },
  status: { conditions: condition === undefined ? [] : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', ...condition }] },
});

test.each<[string, boolean, Pod, Pod]>([
  ['has counted the nodes again', true, podWith({ message: '0/2 nodes are available' }), podWith({ message: '0/1 nodes are available' })],
  ['says the same as before', false, podWith({ message: 'no' }), podWith({ message: 'no' })],
  ['says it for the first time', false, podWith({ message: 'no' }), podWith()],
  ['waits for a gate to be lifted', false, podWith({ message: 'gated', reason: 'SchedulingGated' }), podWith({ message: 'no' })],
  ['has found a node', false, podWith({ status: 'True', reason: '' }), podWith({ message: 'no' })],
])('kube-scheduler %s: a new refusal is %s', (...[, expected, pod, previous]) => {
  expect(isUnschedulableAgain(pod, previous)).toBe(expected);
});
