import { expect, test } from '@jest/globals';
import { explain, explainLeftOut, simulate, snapshotOf } from '@karpenter/core';
import type { PlainCluster } from '@karpenter/core';
import fc from 'fast-check';
import { fuzzCases, mutationsOf, withinCaseTime } from '../arbitraries/mutations.ts';

const quantities = { cpu: '2', memory: '4Gi' };
const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x', 'y'] }] };
const requirement = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1', 'z2'] };
const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: selector, namespaceSelector: {}, matchLabelKeys: ['app'] };

const spec = {
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [
    { key: 'a', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'b', value: 'c' },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference: { matchExpressions: [requirement] } }],
    },
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] },
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
  },
  topologySpreadConstraints: [
    { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector, minDomains: 2 },
  ],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  initContainers: [{ name: 'init', restartPolicy: 'Always', resources: { requests: { cpu: '10m' } } }],
  containers: [
    {
      name: 'main',
      ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
      resources: { requests: quantities, limits: quantities },
    },
  ],
  priority: 1000,
  overhead: { cpu: '10m' },
};

const meta = (name: string, labels = { app: 'web', tier: 'z' }) => ({
  ...{ name, namespace: 'shop', uid: name, creationTimestamp: '2026-01-01T00:00:00Z', labels },
  annotations: { 'karpenter.sh/do-not-disrupt': '1h' },
});

/** One of each kind that scheduling reads. */
const base = {
  nodePools: [
    {
      metadata: { name: 'general' },
      spec: {
        weight: 10,
        limits: { cpu: '1000' },
        disruption: { consolidateAfter: '30s', budgets: [{ nodes: '10%', schedule: '0 9 * * *', duration: '8h', reasons: ['Drifted'] }] },
        template: {
          metadata: { labels: { team: 'a' }, annotations: { note: 'x' } },
          spec: {
            requirements: [requirement, { key: 'example.com/size', operator: 'Gt', values: ['3'] }],
            taints: [{ key: 'a', effect: 'NoSchedule' }],
            nodeClassRef: { group: 'karpenter.test', kind: 'TestNodeClass', name: 'default' },
            expireAfter: '720h',
          },
        },
      },
    },
  ],
  instanceTypes: [2, 8].map((cpu) => ({
    ...{ name: `m${cpu}`, capacity: { cpu: String(cpu), memory: `${cpu * 4}Gi`, pods: '110' }, overhead: { cpu: '100m' } },
    ...{ pricePerHour: { 'on-demand': cpu / 20, spot: cpu / 50 }, zones: ['z1', 'z2'], labels: { 'example.com/size': String(cpu) } },
  })),
  pods: [
    { metadata: meta('web-1'), spec },
    { metadata: meta('web-2'), spec },
    { metadata: meta('plain'), spec: { containers: [{ name: 'main', resources: { requests: quantities } }] } },
    { metadata: meta('on-node'), spec: { ...spec, nodeName: 'n1' }, status: { phase: 'Running' } },
  ],
  nodes: [
    {
      metadata: {
        name: 'n1',
        labels: { 'kubernetes.io/hostname': 'n1', 'topology.kubernetes.io/zone': 'z1', 'karpenter.sh/nodepool': 'general' },
      },
      spec: { taints: [{ key: 'a', effect: 'NoSchedule' }], providerID: 'test://n1' },
      status: {
        ...{ capacity: { cpu: '8', memory: '32Gi', pods: '110' }, allocatable: { cpu: '8', memory: '30Gi', pods: '110' } },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
  ],
  daemonSets: [
    { metadata: meta('agent'), spec: { template: { spec: { tolerations: [{ operator: 'Exists' }], containers: spec.containers } } } },
  ],
  podDisruptionBudgets: [
    { metadata: meta('budget'), spec: { selector, maxUnavailable: '30%' }, status: { disruptionsAllowed: 1, expectedPods: 3 } },
  ],
  namespaces: [{ metadata: { name: 'shop', labels: { team: 'a' } } }],
  persistentVolumeClaims: [
    {
      metadata: { ...meta('data'), annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: 'pv-1', storageClassName: 'fast', accessModes: ['ReadWriteOnce'] },
    },
  ],
  persistentVolumes: [
    {
      metadata: { name: 'pv-1', labels: { 'topology.kubernetes.io/zone': 'z1__z2' } },
      spec: { csi: { driver: 'disk' }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } } },
    },
  ],
  storageClasses: [
    {
      metadata: { name: 'fast' },
      provisioner: 'disk',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['z1', 'z2'] }] }],
    },
  ],
  csiNodes: [{ metadata: { name: 'n1' }, spec: { drivers: [{ name: 'disk', allocatable: { count: 8 } }] } }],
};

/** Plain data whose lists are no lists is refused by its type; the objects in them may be anything. */
const listsOf = (mutated: unknown): PlainCluster => {
  const lists = mutated as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(base).map((name) => [name, Array.isArray(lists[name]) ? lists[name] : []]),
  ) as unknown as PlainCluster;
};

test('a plan is made from whatever the objects say; what is refused or left out is named', () => {
  fc.assert(
    fc.property(mutationsOf(base), (mutated) => {
      const plan = withinCaseTime(() => simulate(snapshotOf(listsOf(mutated))));
      for (const rejection of plan.rejections) expect(explain(rejection)).not.toBe('');
      for (const leftOut of plan.leftOut ?? []) expect(explainLeftOut(leftOut)).not.toBe('');
    }),
    fuzzCases(15),
  );
});
