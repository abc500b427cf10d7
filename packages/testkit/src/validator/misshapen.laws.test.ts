import { explain, type Plan, simulate, snapshotOf } from '@karpenter/core';
import { explainLeftOut, type PlainCluster } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aNodePool } from '../builders/index.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const app = { labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] } };
const inZone = { matchExpressions: [{ key: ZONE, operator: 'In', values: ['zone-1', 'zone-2'] }] };

const choosy = {
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [inZone] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: inZone }],
    },
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: ZONE, namespaces: ['shop'], namespaceSelector: { matchLabels: { a: 'b' } }, ...app } },
      ],
    },
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, matchLabelKeys: ['revision'], ...app }] },
  },
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', minDomains: 2, ...app }],
  containers: [
    { name: 'main', resources: { requests: { cpu: '500m' }, limits: { cpu: 1 } }, ports: [{ containerPort: 80, hostPort: 80 }] },
  ],
  initContainers: [{ name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }],
  overhead: { cpu: '10m' },
};

const bound = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } };
const amounts = { cpu: '4', memory: '16Gi', pods: '110' };

/** One of everything that plain data may hold. */
const everything = {
  nodePools: [
    aNodePool({
      labels: { team: 'shop' },
      taints: [],
      limits: { cpu: '1000' },
      requirements: [{ key: 'example.com/a', operator: 'In', values: ['1'] }],
    }),
  ],
  instanceTypes: [
    {
      name: 'small',
      capacity: amounts,
      overhead: { cpu: '100m' },
      pricePerHour: { spot: 0.1 },
      zones: ['zone-1', 'zone-2'],
      labels: { size: 's' },
    },
  ],
  pods: [
    { metadata: { name: 'sound', namespace: 'default' }, spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } },
    {
      metadata: {
        name: 'choosy',
        namespace: 'default',
        labels: { app: 'web' },
        ownerReferences: [{ kind: 'ReplicaSet', name: 'a', uid: 'b' }],
      },
      spec: {
        ...choosy,
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'own', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'disk' } } } },
        ],
      },
      status: { phase: 'Pending', conditions: [] },
    },
    {
      metadata: { name: 'running', namespace: 'default', labels: { app: 'db' } },
      spec: { ...choosy, nodeName: 'node-1' },
      status: { phase: 'Running' },
    },
  ],
  nodes: [
    {
      metadata: { name: 'node-1', labels: { [ZONE]: 'zone-1' } },
      spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
    },
  ],
  daemonSets: [
    {
      metadata: { name: 'logs', namespace: 'kube-system', uid: 'c' },
      spec: { template: { spec: { ...choosy, tolerations: [{ operator: 'Exists' }] } } },
    },
  ],
  podDisruptionBudgets: [
    { metadata: { name: 'web', namespace: 'default' }, spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 1 } },
  ],
  namespaces: [{ metadata: { name: 'shop', labels: { a: 'b' } } }],
  persistentVolumeClaims: [
    {
      metadata: { name: 'data', namespace: 'default', ...bound },
      spec: { volumeName: 'disk-1', accessModes: ['ReadWriteOnce'] },
      status: { phase: 'Bound' },
    },
  ],
  persistentVolumes: [
    { metadata: { name: 'disk-1' }, spec: { csi: { driver: 'disk' }, nodeAffinity: { required: { nodeSelectorTerms: [inZone] } } } },
  ],
  storageClasses: [
    {
      metadata: { name: 'disk' },
      provisioner: 'disk',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['zone-1'] }] }],
    },
  ],
  csiNodes: [{ metadata: { name: 'node-1' }, spec: { drivers: [{ name: 'disk', allocatable: { count: 3 } }] } }],
  selecting: [{ kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { selector: { app: 'web' } } }],
};

type Path = readonly (string | number)[];

const isObject = (value: unknown): value is Record<string | number, unknown> => typeof value === 'object' && value !== null;

const pathsOf = (value: unknown, at: Path = []): readonly Path[] => {
  if (!isObject(value)) return [at];
  const below = Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, Array.isArray(value) ? Number(key) : key]));
  return at.length < 2 ? below : [at, ...below];
};

/** The same with something else at one place. */
const withOther = (value: unknown, [key, ...rest]: Path, other: unknown): unknown => {
  if (key === undefined) return other;
  if (!isObject(value)) return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string | number, unknown>;
  copy[key] = withOther(value[key], rest, other);
  return copy;
};

/** As JSON has it: a missing entry of a list is a null. */
const changed = (path: Path, other: unknown): PlainCluster =>
  JSON.parse(JSON.stringify(withOther(everything, path, other))) as PlainCluster;

const others = [undefined, null, '', 'other', -1, 1.5, true, [], {}, ['x'], [null], [{}], { a: 1 }, { a: null }];

const namesOfPlaced = ({ plannedNodes, placements }: Plan): readonly string[] =>
  [...plannedNodes.map(({ pods }) => pods), ...placements.values()].flat().map(({ metadata }) => metadata.name);

test('whatever stands at one place of plain data, nothing is thrown, and a pod that has nothing to do with it is placed', () => {
  const anywhere = fc.record({ path: fc.constantFrom(...pathsOf(everything)), other: fc.constantFrom(...others) });
  fc.assert(
    fc.property(anywhere, ({ path, other }) => {
      const plan = simulate(snapshotOf(changed(path, other)));
      const sentences = [...(plan.leftOut ?? []).map(explainLeftOut), ...plan.rejections.map(explain)];
      expect(sentences.filter((text) => text.includes('[object'))).toEqual([]);
      const [list, index] = path;
      const isAbout = list === 'nodePools' || list === 'instanceTypes' || (list === 'pods' && index === 0);
      if (!isAbout) expect(namesOfPlaced(plan)).toContain('sound');
    }),
    { numRuns: 400 },
  );
});

test.each<[string, Path, unknown, string]>([
  [
    'a label that is no text',
    ['pods', 1, 'metadata', 'labels', 'app'],
    1,
    'Pod default/choosy is left out: metadata.labels.app is "1": must be a text',
  ],
  [
    'a pool without a NodeClass',
    ['nodePools', 0, 'spec', 'template', 'spec', 'nodeClassRef'],
    null,
    'NodePool default is left out: spec.template.spec.nodeClassRef is "undefined": must be an object',
  ],
  [
    'a machine of words',
    ['instanceTypes', 0, 'capacity', 'cpu'],
    'many',
    'InstanceType small is left out: capacity.cpu is "many": is no quantity',
  ],
  [
    'a node of words',
    ['nodes', 0, 'status', 'allocatable', 'memory'],
    'much',
    'Node node-1 is left out: status.allocatable.memory is "much": is no quantity',
  ],
  [
    'a pod that runs with a volume that is none',
    ['pods', 2, 'spec', 'volumes'],
    'data',
    'Node node-1 is left out: pods[default/running].spec.volumes is "data": must be a list',
  ],
  [
    'a volume without a driver',
    ['persistentVolumes', 0, 'spec', 'csi'],
    {},
    'PersistentVolume disk-1 is left out: spec.csi.driver is "undefined": must be there',
  ],
])('%s is left out with the field named', (...[, path, other, text]) => {
  const plan = simulate(snapshotOf(changed(path, other)));
  expect((plan.leftOut ?? []).map(explainLeftOut)).toEqual([expect.stringContaining(text)]);
});

test.each<[string, Path, unknown, string]>([
  [
    'an expression without operator',
    ['affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 0, 'labelSelector'],
    { matchExpressions: [{ key: 'app' }] },
    'labelSelector.matchExpressions[0].operator is "undefined": must be one of In',
  ],
  [
    'an expression without key',
    ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms', 0, 'matchExpressions'],
    [{ operator: 'Exists' }],
    'nodeSelectorTerms[0].matchExpressions[0].key is "undefined": must be there',
  ],
  ['values that are no list', ['tolerations'], 'all', 'spec.tolerations is "all": must be a list'],
])('%s refuses the pod with the field named', (...[, path, other, text]) => {
  const plan = simulate(snapshotOf(changed(['pods', 1, 'spec', ...path], other)));
  expect(plan.rejections.map(explain)).toEqual([expect.stringContaining(text)]);
  expect(namesOfPlaced(plan)).toContain('sound');
});
