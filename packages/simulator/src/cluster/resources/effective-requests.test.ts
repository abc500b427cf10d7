import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { PodObject } from '../objects/pod.ts';
import { effectiveRequests } from './effective-requests.ts';

/** What Kubernetes answers about pods that are resized in place; recorded beside core's `pod-requests.ts`. */
interface Answer {
  readonly pod: Pick<PodObject, 'spec' | 'status'>;
  readonly requests: Readonly<Record<string, number>>;
}
const recorded = new URL('../../../../core/src/kube/pods/__golden__/resized-requests.json', import.meta.url);
const answers = JSON.parse(readFileSync(recorded, 'utf8')) as readonly Answer[];

test('the binder reserves for recorded pods what kube-scheduler does', () => {
  const wrong = answers.filter(({ pod, requests }) => {
    const { pods: _, ...taken } = effectiveRequests(pod);
    const names = new Set([...Object.keys(taken), ...Object.keys(requests)]);
    return [...names].some((name) => (taken[name] ?? 0) !== (requests[name] ?? 0));
  });
  expect(answers.length).toBeGreaterThanOrEqual(250);
  expect(wrong).toEqual([]);
});
