import { describe, expect, test } from '@jest/globals';
import { defaultSchedulingPolicy } from '@karpenter/core';
import { planning, type PodSpec } from '@karpenter/core/internal';
import { aClaim, aNodePool, aPod, aSnapshot, aStorage, assortedInstanceTypes, pods, requesting } from '../builders/index.ts';

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
  'preferred anti-affinity terms': (count) => ({
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: times(count, (index) => ({
          weight: 1 + (index % 100),
          podAffinityTerm: termOf(index),
        })),
      },
    },
  }),
  'soft spread constraints': (count) => ({
    topologySpreadConstraints: times(count, (index) => ({ ...termOf(index), maxSkew: 1 + index, whenUnsatisfiable: 'ScheduleAnyway' })),
  }),
  'values of a label selector': (count) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: zone, labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: values(count) }] } },
        ],
      },
    },
  }),
  'match label keys of a spread': (count) => ({
    topologySpreadConstraints: [
      { ...termOf(0), maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: times(count, (index) => `k${index}`) },
    ],
  }),
  volumes: (count) => ({
    volumes: times(count, (index) => ({ name: `v${index}`, persistentVolumeClaim: { claimName: `claim-${index}` } })),
  }),
  'claims of devices': (count) => ({
    resourceClaims: times(count, (index) => ({ name: `c${index}`, resourceClaimName: `claim-${index}` })),
  }),
  schedulingGates: (count) => ({ schedulingGates: times(count, (index) => ({ name: `g${index}` })) }),
};

/** The object, which counts how often somebody reads one of its fields. */
const counted = <T extends object>(root: T, count: () => void): T => {
  const known = new WeakMap<object, object>();
  const wrap = (object: object): object => {
    const found = known.get(object) ?? new Proxy(object, { get: (target, key) => read(target, key) });
    known.set(object, found);
    return found;
  };
  const read = (target: object, key: string | symbol): unknown => {
    count();
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'object' && value !== null ? wrap(value) : value;
  };
  return wrap(root) as T;
};

const claims = times(1000, (index) => aClaim(`claim-${index}`, { volumeName: `volume-${index}`, accessModes: ['ReadWriteMany'] }));
const volumes = times(1000, (index) => ({ metadata: { name: `volume-${index}` }, spec: { csi: { driver: 'disk.csi.test' } } }));
const storage = aStorage({ claims, volumes });

/** Steps of a plan for twenty ordinary pods, and one with the spec; and how often its fields are read. */
const costOf = (spec?: object): { readonly steps: number; readonly reads: number } => {
  let reads = 0;
  const pod = aPod(requesting({ cpuMillis: 100 }));
  const odd = spec === undefined ? [] : [{ ...pod, spec: counted({ ...pod.spec, ...(spec as Partial<PodSpec>) }, () => (reads += 1)) }];
  const pending = [...pods(20, requesting({ cpuMillis: 500 })), ...odd];
  const snapshot = aSnapshot({ pending, nodePools: [aNodePool()], instanceTypes, storage });
  const plan = planning(snapshot, defaultSchedulingPolicy, () => false);
  let steps = 1;
  while (plan.next().done !== true) steps += 1;
  return { steps, reads };
};

describe('what a plan takes grows no faster than n log n in each list of a pod:', () => {
  const [few, many] = [100, 1000];
  const growth = (many * Math.log2(many)) / (few * Math.log2(few));
  const alone = costOf();

  test.each(Object.entries(dimensions))('%s', (_, specOf) => {
    const [less, more] = [few, many].map((count) => costOf(specOf(count)));
    expect((more?.steps ?? 0) - alone.steps).toBeLessThanOrEqual(growth * Math.max((less?.steps ?? 0) - alone.steps, 8));
    expect(more?.reads).toBeLessThanOrEqual(growth * (less?.reads ?? 0));
    // Each entry is read at least once, or nothing is measured.
    expect(less?.reads).toBeGreaterThan(few / 2);
  });
});
