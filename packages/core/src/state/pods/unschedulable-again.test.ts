import { expect, test } from '@jest/globals';
import type { Condition, Pod } from '../../kube/index.ts';
import { isUnschedulableAgain } from './pod-transitions.ts';

const told = (condition?: Partial<Condition>): Pod => ({
  metadata: { name: 'web' },
  spec: { containers: [] },
  status: { conditions: condition === undefined ? [] : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', ...condition }] },
});

test.each<[string, boolean, Pod, Pod]>([
  ['has counted the nodes again', true, told({ message: '0/2 nodes are available' }), told({ message: '0/1 nodes are available' })],
  ['says the same as before', false, told({ message: 'no' }), told({ message: 'no' })],
  ['says it for the first time', false, told({ message: 'no' }), told()],
  ['waits for a gate to be lifted', false, told({ message: 'gated', reason: 'SchedulingGated' }), told({ message: 'no' })],
  ['has found a node', false, told({ status: 'True', reason: '' }), told({ message: 'no' })],
])('kube-scheduler %s: a new refusal is %s', (...[, expected, pod, previous]) => {
  expect(isUnschedulableAgain(pod, previous)).toBe(expected);
});
