import { describe, expect, test } from '@jest/globals';
import type { PodAffinityTerm, PodSpec } from '../../kube/index.ts';
import { podWork } from './pod-work.ts';
import { MOST_OF_A_POD, ORDINARY_POD } from './work-budget.ts';
import { range } from '../../testing/range.ts';
const specOf = (spec: Partial<PodSpec>): PodSpec => ({ containers: [{ name: 'main' }], ...spec });

const zoneTerm = (zone: number) => ({
  matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'NotIn' as const, values: [`zone-${zone}`] }],
});
const podTerm = (app: number) => ({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: `app-${app}` } } });

/** One field of a spec with so many entries. */
const dimensions: Readonly<Record<string, (count: number) => Partial<PodSpec>>> = {
  containers: (count) => ({ containers: range(count).map((index) => ({ name: `c-${index}` })) }),
  'host ports': (count) => ({
    containers: [{ name: 'main', ports: range(count).map((index) => ({ containerPort: 80, hostPort: 1000 + index })) }],
  }),
  tolerations: (count) => ({ tolerations: range(count).map((index) => ({ key: `key-${index}` })) }),
  'labels of the node selector': (count) => ({ nodeSelector: Object.fromEntries(range(count).map((index) => [`l-${index}`, 'x'])) }),
  'values of a node affinity': (count) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: range(count).map(String) }] }],
        },
      },
    },
  }),
  'node affinity terms': (count) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: range(count).map(zoneTerm) } } },
  }),
  'pod affinity terms': (count) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: range(count).map(podTerm) } },
  }),
  'preferences of nodes': (count) => ({
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: range(count).map((index) => ({ weight: 1, preference: zoneTerm(index) })),
      },
    },
  }),
  'preferences of pods': (count) => ({
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: range(count).map((index) => ({ weight: 1, podAffinityTerm: podTerm(index) })),
      },
    },
  }),
};

describe('the work of a pod grows no faster than its spec, whatever it has many of', () => {
  test.each(Object.entries(dimensions))('%s', (_, of) => {
    const [hundred, thousand] = [100, 1000].map((count) => podWork(specOf(of(count))));
    expect(thousand).toBeLessThanOrEqual((hundred ?? 0) * 10.5);
  });
});

test('each required term costs the labels of the node selector, which it holds as well', () => {
  const pairs = { ...dimensions['labels of the node selector']?.(2000), ...dimensions['node affinity terms']?.(4000) };
  expect(podWork(specOf(pairs))).toBeGreaterThan(MOST_OF_A_POD);
});

test.each<[string, (requests: Readonly<Record<string, string>>) => Partial<PodSpec>]>([
  ['of its container', (requests) => ({ containers: [{ name: 'main', resources: { requests } }] })],
  ['of the pod itself', (requests) => ({ resources: { requests } })],
  ['of the overhead of its RuntimeClass', (overhead) => ({ overhead })],
])('each resource %s costs the same', (_, of) => {
  const requests = Object.fromEntries(range(1000).map((index) => [`example.com/r-${index}`, '1']));
  const ofResources = podWork(specOf(of(requests))) - podWork(specOf({}));
  expect(ofResources).toBe(podWork(specOf({ containers: [{ name: 'main', resources: { requests } }] })) - podWork(specOf({})));
  expect(ofResources).toBeGreaterThan(0);
});

test('a pod with a selector, tolerations, a spread over zones and hosts, and preferences is ordinary', () => {
  const spec = specOf({
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    ...dimensions['tolerations']?.(8),
    topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
      ...{ topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const },
      labelSelector: { matchLabels: { app: 'web' } },
    })),
    ...dimensions['preferences of nodes']?.(3),
  });
  expect(podWork(spec)).toBeLessThan(ORDINARY_POD / 4);
});

test.each<[string, unknown]>([
  ['containers that are no list', { containers: 5 }],
  ['a null among the tolerations', { containers: [], tolerations: [null] }],
  ['an affinity that is a text', { containers: [], affinity: 'near' }],
])('%s cost nothing, because such a pod is refused', (_, spec) => {
  expect(() => podWork(spec as PodSpec)).not.toThrow();
});

test('of preferred pod terms the heaviest count, wherever they stand', () => {
  const light = range(16).map((app) => ({ weight: 1, podAffinityTerm: podTerm(app) }));
  const labels = Object.fromEntries(range(300).map((index) => [`l-${index}`, 'x']));
  const heavy = range(16).map(() => ({ weight: 100, podAffinityTerm: { ...podTerm(0), labelSelector: { matchLabels: labels } } }));
  const workOf = (terms: readonly { weight: number; podAffinityTerm: PodAffinityTerm }[]): number =>
    podWork(specOf({ affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } } }));
  expect(workOf([...light, ...heavy])).toBe(workOf([...heavy, ...light]));
});
