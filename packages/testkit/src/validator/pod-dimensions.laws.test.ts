import { describe, expect, test } from '@jest/globals';
import { defaultSchedulingPolicy } from '@karpenter/core';
import { planning, type PodSpec } from '@karpenter/core/internal';
import { aNodePool, aPod, aSnapshot, assortedInstanceTypes, pods, requesting } from '../builders/index.ts';

const zone = 'topology.kubernetes.io/zone';
const instanceTypes = assortedInstanceTypes(20);
const times = <T>(count: number, of: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => of(index));
const values = (count: number): string[] => times(count, (index) => `v${index}`);
const expression = (index: number) => ({ key: `example.com/k${index}`, operator: 'NotIn' as const, values: ['v'] });
const termOf = (index: number) => ({ topologyKey: zone, labelSelector: { matchLabels: { app: `a${index}` } } });
const requiring = (nodeSelectorTerms: { readonly matchExpressions: readonly object[] }[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});

/** Each list of a pod's spec, with so many entries. */
const dimensions: Readonly<Record<string, (count: number) => object>> = {
  tolerations: (count) => ({ tolerations: times(count, (index) => ({ key: `k${index}`, operator: 'Exists' })) }),
  nodeSelector: (count) => ({ nodeSelector: Object.fromEntries(times(count, (index) => [`example.com/k${index}`, 'v'])) }),
  'values of a node selector': (count) => requiring([{ matchExpressions: [{ key: zone, operator: 'NotIn', values: values(count) }] }]),
  'expressions of a node selector term': (count) => requiring([{ matchExpressions: times(count, expression) }]),
  'node selector terms': (count) => requiring(times(count, (index) => ({ matchExpressions: [expression(index)] }))),
  'preferred terms': (count) => ({
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: times(count, (index) => ({
          weight: 1 + (index % 100),
          preference: { matchExpressions: [expression(index)] },
        })),
      },
    },
  }),
  'anti-affinity terms': (count) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: times(count, termOf) } },
  }),
  'namespaces of a term': (count) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...termOf(0), namespaces: values(count) }] } },
  }),
  'spread constraints': (count) => ({
    topologySpreadConstraints: times(count, (index) => ({ ...termOf(index), maxSkew: 1 + index, whenUnsatisfiable: 'DoNotSchedule' })),
  }),
  containers: (count) => ({ containers: times(count, (index) => ({ name: `c${index}`, resources: { requests: { cpu: '1m' } } })) }),
  initContainers: (count) => ({ initContainers: times(count, (index) => ({ name: `i${index}`, resources: { requests: { cpu: '1m' } } })) }),
  'host ports': (count) => ({
    containers: [{ name: 'main', ports: times(count, (index) => ({ containerPort: 1 + index, hostPort: 1 + index })) }],
  }),
  'requested resources': (count) => ({
    containers: [{ name: 'main', resources: { requests: Object.fromEntries(times(count, (index) => [`example.com/r${index}`, '1'])) } }],
  }),
  schedulingGates: (count) => ({ schedulingGates: times(count, (index) => ({ name: `g${index}` })) }),
};

/** Steps of a plan for twenty ordinary pods, and one with the spec. */
const stepsOf = (spec?: object): number => {
  const pod = aPod(requesting({ cpuMillis: 100 }));
  const odd = spec === undefined ? [] : [{ ...pod, spec: { ...pod.spec, ...(spec as Partial<PodSpec>) } }];
  const pending = [...pods(20, requesting({ cpuMillis: 500 })), ...odd];
  const steps = planning(aSnapshot({ pending, nodePools: [aNodePool()], instanceTypes }), defaultSchedulingPolicy, () => false);
  let count = 1;
  while (steps.next().done !== true) count += 1;
  return count;
};

describe('the steps of a plan grow no faster than n log n in each list of a pod:', () => {
  const [few, many] = [100, 1000];
  const alone = stepsOf();

  test.each(Object.entries(dimensions))('%s', (_, specOf) => {
    const [less, more] = [few, many].map((count) => stepsOf(specOf(count)) - alone);
    const growth = (many * Math.log2(many)) / (few * Math.log2(few));
    expect(more).toBeLessThanOrEqual(growth * Math.max(less ?? 0, 8));
  });
});
