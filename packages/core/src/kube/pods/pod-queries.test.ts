import { describe, expect, test } from '@jest/globals';
import type { ObjectMeta } from '../object-meta.ts';
import { aPod } from '../../testing/objects.ts';
import type { Pod, PodStatus } from './pod.ts';
import { isMirror, isProvisionable, isReschedulable } from './pod-queries.ts';

const unschedulable: PodStatus = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
const podStating = (metadata: Partial<ObjectMeta> = {}, status: PodStatus = {}, nodeName?: string): Pod =>
  aPod('p', { metadata, spec: nodeName === undefined ? {} : { nodeName }, status });
const ownerOfKind = (kind: string): Partial<ObjectMeta> => ({ ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'u' }] });
const deleted: Partial<ObjectMeta> = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('a new node might help', () => {
  test.each<[string, Pod, boolean]>([
    ['a pod that found no node', podStating({}, unschedulable), true],
    ['not a pod that has not been checked', podStating({}, { phase: 'Pending' }), false],
    ['not a pod that is bound', podStating({}, unschedulable, 'node-1'), false],
    ['not a pod that is about to preempt', podStating({}, { ...unschedulable, nominatedNodeName: 'node-1' }), false],
    ['not a pod of a DaemonSet', podStating(ownerOfKind('DaemonSet'), unschedulable), false],
    ['not a pod of a node', podStating(ownerOfKind('Node'), unschedulable), false],
    ['not a pod that is going', podStating(deleted, unschedulable), false],
  ])('%s', (_, pod, helps) => expect(isProvisionable(pod)).toBe(helps));
});

describe('a new place is needed for', () => {
  test.each<[string, Pod, boolean]>([
    ['a running pod', podStating({}, { phase: 'Running' }), true],
    ['not one that is done', podStating({}, { phase: 'Succeeded' }), false],
    ['not one that is going', podStating(deleted, { phase: 'Running' }), false],
    [
      'the successor of a StatefulSet pod that is going',
      podStating({ ...ownerOfKind('StatefulSet'), ...deleted }, { phase: 'Running' }),
      true,
    ],
    ['not a DaemonSet pod', podStating(ownerOfKind('DaemonSet'), { phase: 'Running' }), false],
    ['not a mirror', podStating(ownerOfKind('Node'), { phase: 'Running' }), false],
  ])('%s', (_, pod, needed) => expect(isReschedulable(pod)).toBe(needed));
});

test('a static pod is known by its annotation too', () =>
  expect(isMirror(podStating({ annotations: { 'kubernetes.io/config.mirror': 'abc' } }))).toBe(true));
