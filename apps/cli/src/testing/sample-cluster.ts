import type { Node, NodeClaim, NodePool, Pod } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';

/** The moment at which the sample cluster is evaluated. */
export const SAMPLE_NOW_MS = Date.UTC(2026, 10, 20, 12);

const created = (hoursAgo: number): string => new Date(SAMPLE_NOW_MS - hoursAgo * 3_600_000).toISOString().replace('.000', '');
const isTrue = (type: string) => ({ type, status: 'True' as const, reason: type, message: '', lastTransitionTime: created(1) });
const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };
const oneOf = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values });

const aSamplePool = (name: string, spec: Partial<NodePool['spec']> = {}, capacityType = 'on-demand'): NodePool & KubeObject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name, uid: `pool-${name}` },
  spec: {
    template: {
      spec: {
        requirements: [
          oneOf('kubernetes.io/arch', 'amd64'),
          oneOf('kubernetes.io/os', 'linux'),
          oneOf('karpenter.sh/capacity-type', capacityType),
        ],
        nodeClassRef,
        expireAfter: 'Never',
      },
    },
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
    ...spec,
  },
  status: { conditions: [isTrue('Ready')] },
});

/** A machine that is up: its Node and its NodeClaim. `size` as in `s-4x`: family, cpus. */
interface SampleNode {
  readonly name: string;
  readonly nodePool: string;
  readonly family?: 'c' | 's' | 'm';
  readonly cpus: number;
  readonly capacityType?: string;
  readonly hoursAgo?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

const GIB_PER_CPU = { c: 2, s: 4, m: 8 };

export const aSampleNode = ({ name, nodePool, family = 's', cpus, ...rest }: SampleNode): readonly KubeObject[] => {
  const { capacityType = 'on-demand', hoursAgo = 3, annotations = {} } = rest;
  const labels = {
    'karpenter.sh/nodepool': nodePool,
    'karpenter.sh/capacity-type': capacityType,
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'node.kubernetes.io/instance-type': `${family}-${cpus}x-amd64-linux`,
    'topology.kubernetes.io/zone': 'test-zone-a',
    'topology.kubernetes.io/region': 'test-region',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/hostname': name,
  };
  const providerID = `kwok://${name}`;
  const capacity = { cpu: `${cpus}`, memory: `${cpus * GIB_PER_CPU[family]}Gi`, pods: `${16 * cpus}`, 'ephemeral-storage': '20Gi' };
  const allocatable = { ...capacity, cpu: `${cpus * 1000 - 100}m`, memory: `${cpus * GIB_PER_CPU[family] * 1024 - 10}Mi` };
  const status = { capacity, allocatable };
  const node: Node & KubeObject = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `node-${name}`, creationTimestamp: created(hoursAgo), labels, annotations },
    spec: { providerID },
    status: { ...status, conditions: [isTrue('Ready')] },
  };
  const claim: NodeClaim & KubeObject = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, uid: `claim-${name}`, creationTimestamp: created(hoursAgo), labels },
    spec: { nodeClassRef, requirements: [] },
    status: {
      ...status,
      nodeName: name,
      providerID,
      conditions: ['Launched', 'Registered', 'Initialized', 'Consolidatable', 'Ready'].map(isTrue),
    },
  };
  return [node, claim];
};

/** A pod of an app; without a node it is pending, and the scheduler found no place for it. */
interface SamplePod {
  readonly name: string;
  readonly cpu: string;
  readonly memory?: string;
  readonly node?: string;
  readonly spec?: Partial<Pod['spec']>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const aSamplePod = ({ name, cpu, memory = '1Gi', node, spec = {}, annotations = {} }: SamplePod): Pod & KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'default',
    uid: `pod-${name}`,
    creationTimestamp: created(2),
    labels: { app: name.replace(/-\d+$/, '') },
    annotations,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true }],
  },
  spec: {
    containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu, memory } } }],
    ...(node === undefined ? {} : { nodeName: node }),
    ...spec,
  },
  status:
    node === undefined
      ? { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] }
      : { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});

const webBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'db', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'db' } }, maxUnavailable: 0 },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
};

/** The volume of `db-1`, in the zone of its node. */
const dbVolume: readonly (KubeObject & Readonly<Record<string, unknown>>)[] = [
  {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'disks' } },
    ...{ provisioner: 'disk.csi.example.com', volumeBindingMode: 'WaitForFirstConsumer' },
  },
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv-db-1' } },
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], capacity: { storage: '10Gi' }, storageClassName: 'disks' },
      claimRef: { namespace: 'default', name: 'data-db-1' },
      csi: { driver: 'disk.csi.example.com', volumeHandle: 'db-1' },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [oneOf('topology.kubernetes.io/zone', 'test-zone-a')] }] },
      },
    },
    status: { phase: 'Bound' },
  },
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: { name: 'data-db-1', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], storageClassName: 'disks', volumeName: 'pv-db-1' },
      resources: { requests: { storage: '10Gi' } },
    },
    status: { phase: 'Bound' },
  },
];

const sampleClass: KubeObject & Readonly<Record<string, unknown>> = {
  ...{ apiVersion: 'karpenter.kwok.sh/v1alpha1', kind: 'KWOKNodeClass', metadata: { name: 'default' }, spec: {} },
};

/** Room for four pods more of a Deployment. */
export const warmBuffer: readonly (KubeObject & Readonly<Record<string, unknown>>)[] = [
  {
    ...{
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      kind: 'CapacityBuffer',
      metadata: { name: 'warm', namespace: 'default', uid: 'warm' },
    },
    spec: { replicas: 4, scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' } },
  },
  {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } },
    spec: {
      ...{ replicas: 1, selector: { matchLabels: { app: 'web' } } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'a', image: 'web', resources: { requests: { cpu: '3' } } }] },
      },
    },
  },
];

/** Two pools, four nodes of Karpenter's, one that is not, and two pods that wait: one of them fits nowhere. */
export const sampleCluster = (): readonly KubeObject[] => {
  const [foreign] = aSampleNode({ name: 'system-1', nodePool: '', cpus: 2, hoursAgo: 800 });
  const { 'karpenter.sh/nodepool': _pool, ...foreignLabels } = foreign?.metadata.labels ?? {};
  return [
    sampleClass,
    ...dbVolume,
    aSamplePool('general', { limits: { cpu: '100' } }),
    aSamplePool('batch', { weight: 5 }, 'spot'),
    ...aSampleNode({ name: 'general-a1', nodePool: 'general', cpus: 8, hoursAgo: 70 }),
    ...aSampleNode({ name: 'general-b2', nodePool: 'general', cpus: 4, hoursAgo: 5 }),
    ...aSampleNode({ name: 'general-c3', nodePool: 'general', cpus: 4, hoursAgo: 0.2 }),
    ...aSampleNode({ name: 'batch-d4', nodePool: 'batch', cpus: 16, capacityType: 'spot', hoursAgo: 30 }),
    ...(foreign === undefined ? [] : [{ ...foreign, metadata: { ...foreign.metadata, labels: foreignLabels } }]),
    aSamplePod({ name: 'web-1', cpu: '3', memory: '8Gi', node: 'general-a1' }),
    aSamplePod({ name: 'web-2', cpu: '3', memory: '8Gi', node: 'general-a1' }),
    aSamplePod({
      ...{ name: 'db-1', cpu: '1', memory: '2Gi', node: 'general-b2' },
      spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }] },
    }),
    aSamplePod({ name: 'cache-1', cpu: '500m', memory: '1Gi', node: 'general-c3' }),
    aSamplePod({
      name: 'train-1',
      cpu: '6',
      memory: '20Gi',
      node: 'batch-d4',
      annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
      spec: { nodeSelector: { 'karpenter.sh/capacity-type': 'spot' } },
    }),
    aSamplePod({ name: 'report-1', cpu: '12', memory: '16Gi' }),
    aSamplePod({ name: 'giant-1', cpu: '400', spec: { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } } }),
    webBudget,
  ];
};
