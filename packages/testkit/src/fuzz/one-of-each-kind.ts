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
  initContainers: [{ name: 'init', image: 'pause', restartPolicy: 'Always', resources: { requests: { cpu: '10m' } } }],
  containers: [
    {
      name: 'main',
      image: 'pause',
      ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
      resources: { requests: quantities, limits: quantities },
    },
  ],
  overhead: { cpu: '10m' },
};

const meta = (name: string, labels = { app: 'web', tier: 'z' }) => ({
  ...{ name, namespace: 'shop', uid: name, creationTimestamp: '2026-01-01T00:00:00Z', labels },
  annotations: { 'karpenter.sh/do-not-disrupt': '1h' },
});

/** One of each kind that scheduling reads, and a few pods; by the names that plain data has for them. */
export const oneOfEachKind = {
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
    { metadata: meta('plain'), spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: quantities } }] } },
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
    {
      metadata: meta('agent'),
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: { metadata: { labels: { app: 'agent' } }, spec: { tolerations: [{ operator: 'Exists' }], containers: spec.containers } },
      },
    },
  ],
  podDisruptionBudgets: [
    { metadata: meta('budget'), spec: { selector, maxUnavailable: '30%' }, status: { disruptionsAllowed: 1, expectedPods: 3 } },
  ],
  podGroups: [{ metadata: meta('train'), spec: { minMember: 2 } }],
  namespaces: [{ metadata: { name: 'shop', labels: { team: 'a' } } }],
  persistentVolumeClaims: [
    {
      metadata: { ...meta('data'), annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: 'pv-1', storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  persistentVolumes: [
    {
      metadata: { name: 'pv-1', labels: { 'topology.kubernetes.io/zone': 'z1__z2' } },
      spec: {
        csi: { driver: 'disk', volumeHandle: 'd-1' },
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } },
      },
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
  resourceSlices: [
    {
      metadata: { name: 'gpus-of-n1' },
      spec: {
        ...{ driver: 'gpu.test', nodeName: 'n1', pool: { name: 'n1', generation: 1, resourceSliceCount: 1 } },
        devices: ['gpu-0', 'gpu-1'].map((name) => ({
          name,
          attributes: { model: { string: 'a' }, index: { int: 3 }, driver: { version: '1.2.3' } },
          capacity: { memory: { value: '40Gi' } },
        })),
      },
    },
  ],
  deviceClasses: [
    {
      metadata: { name: 'gpu' },
      spec: { selectors: [{ cel: { expression: `device.driver == 'gpu.test' && device.attributes['gpu.test'].index < 9` } }] },
    },
  ],
  resourceClaims: [
    {
      metadata: meta('gpu'),
      spec: {
        devices: {
          requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } }],
          constraints: [{ requests: ['gpu'], matchAttribute: 'gpu.test/model' }],
        },
      },
    },
  ],
  csiNodes: [{ metadata: { name: 'n1' }, spec: { drivers: [{ name: 'disk', nodeID: 'n1', allocatable: { count: 8 } }] } }],
};
