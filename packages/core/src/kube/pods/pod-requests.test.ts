import { describe, expect, test } from '@jest/globals';
import type { Container, PodSpec } from './pod.ts';
import { requestsOfPodSpec } from './pod-requests.ts';

const container = (cpu: string, extra: Partial<Container> = {}): Container => ({ name: cpu, resources: { requests: { cpu } }, ...extra });
const sidecar = (cpu: string): Container => container(cpu, { restartPolicy: 'Always' });

describe('what the scheduler reserves for a pod', () => {
  test.each<[string, PodSpec, Record<string, number>]>([
    ['its containers together', { containers: [container('1'), container('250m')] }, { cpu: 1250, pods: 1 }],
    ['nothing but its place', { containers: [{ name: 'a' }] }, { pods: 1 }],
    [
      'a limit where no request is named',
      { containers: [{ name: 'a', resources: { limits: { cpu: '2', memory: '1Ki' }, requests: { cpu: '1' } } }] },
      { cpu: 1000, memory: 1024, pods: 1 },
    ],
    [
      'the largest init container, if larger',
      { containers: [container('1')], initContainers: [container('3'), container('2')] },
      { cpu: 3000, pods: 1 },
    ],
    ['sidecars beside the containers', { containers: [container('1')], initContainers: [sidecar('500m')] }, { cpu: 1500, pods: 1 }],
    [
      'an init container beside the sidecars that were started before it',
      { containers: [container('1')], initContainers: [sidecar('1'), container('3'), sidecar('2')] },
      { cpu: 4000, pods: 1 },
    ],
    [
      'a sidecar that starts after an init container does not add to it',
      { containers: [container('1')], initContainers: [container('3'), sidecar('1')] },
      { cpu: 3000, pods: 1 },
    ],
    ['the overhead of its runtime', { containers: [container('1')], overhead: { cpu: '250m' } }, { cpu: 1250, pods: 1 }],
    [
      'what the pod as a whole requests, instead of its containers',
      { containers: [container('1')], resources: { requests: { cpu: '4' }, limits: { cpu: '8', memory: '1Ki' } }, overhead: { cpu: '1' } },
      { cpu: 5000, memory: 1024, pods: 1 },
    ],
  ])('is %s', (_, spec, expected) => expect(requestsOfPodSpec(spec)).toEqual(expected));
});
