import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { aPodRequesting } from '../../testing/objects.ts';
import { pendingResizeOf, podRequests, resizedSpec } from './pod-requests.ts';
import type { Pod, PodStatus } from './pod.ts';

/**
 * What `PodRequests` of k8s.io/component-helpers v0.35.4 answers with `UseStatusResources` and pod-level resize; cpu in
 * thousandths.
 */
interface Answer {
  readonly pod: Pick<Pod, 'spec' | 'status'>;
  readonly requests: Readonly<Record<string, number>>;
}

const answers = JSON.parse(readFileSync(new URL('./__golden__/resized-requests.json', import.meta.url), 'utf8')) as readonly Answer[];

const resizedPod = (cpu: string, status: PodStatus = {}): Pod => aPodRequesting({ cpu }, 'web', { status });
const running = (actual: string, allocated: string, reason?: string): PodStatus => ({
  containerStatuses: [{ name: 'main', resources: { requests: { cpu: actual } }, allocatedResources: { cpu: allocated } }],
  ...(reason === undefined ? {} : { conditions: [{ type: 'PodResizePending', status: 'True', reason }] }),
});

test('recorded pods request what Kubernetes says', () => {
  const wrong = answers.filter(({ pod, requests }) => {
    const { pods: _, ...ours } = podRequests({ metadata: { name: 'p' }, ...pod });
    const names = new Set([...Object.keys(ours), ...Object.keys(requests)]);
    return [...names].some((name) => (ours[name] ?? 0) !== (requests[name] ?? 0));
  });
  expect(answers.length).toBeGreaterThanOrEqual(250);
  expect(wrong).toEqual([]);
});

describe('a pod that is resized in place requests', () => {
  test.each<[string, Pod, number]>([
    ['what it still holds, while it shrinks', resizedPod('100m', running('3500m', '3500m')), 3500],
    ['what it asks for, while a growth is deferred', resizedPod('4', running('1', '1', 'Deferred')), 4000],
    ['what it holds, where its growth is infeasible', resizedPod('64', running('1', '1', 'Infeasible')), 1000],
    ['what is granted, before its containers run with it', resizedPod('1', running('1', '2')), 2000],
    ['what it asks for, where the kubelet reports nothing', resizedPod('2'), 2000],
  ])('%s', (_, pod, cpu) => expect(podRequests(pod)).toEqual({ cpu, pods: 1 }));
});

test('a pod that is not resized keeps its spec object, by which the solver remembers it', () => {
  const pod = resizedPod('1', running('1', '1'));
  expect(resizedSpec(pod)).toBe(pod.spec);
  expect(resizedSpec(resizedPod('1', running('1000m', '1')))).toMatchObject({ containers: [{ resources: { requests: { cpu: '1' } } }] });
});

test.each([
  ['Deferred', 'Deferred'],
  ['Infeasible', 'Infeasible'],
  ['Other', undefined],
])('a resize that is pending as %s is %s', (reason, expected) => {
  expect(pendingResizeOf(resizedPod('1', running('1', '1', reason)))).toBe(expected);
});
