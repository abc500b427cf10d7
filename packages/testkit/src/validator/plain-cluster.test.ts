import { explain, type Node, type NodePool, type Pod, simulate, snapshotOf } from '@karpenter/core';
import { type DaemonSet, explainLeftOut, type PlainCluster } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';

const plainPool = (name: string): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
});
const pod = (name: string, cpu: string, nodeName?: string): Pod => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }], ...(nodeName === undefined ? {} : { nodeName }) },
});
const node: Node = {
  metadata: { name: 'there', labels: { 'karpenter.sh/nodepool': 'default' } },
  status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, allocatable: { cpu: '3900m', memory: '7Gi', pods: '110' } },
};
const small = { name: 'small', capacity: { cpu: '2', memory: '8Gi' }, pricePerHour: { 'on-demand': 0.1, spot: 0.03 }, zones: ['a', 'b'] };
const cluster = (change: Partial<PlainCluster>): PlainCluster => ({
  nodePools: [plainPool('default')],
  instanceTypes: [small],
  pods: [],
  ...change,
});

test('pods that are bound take room of their nodes, those that ended take none, the others are planned', () => {
  const ended: Pod = { ...pod('ended', '3', 'there'), status: { phase: 'Succeeded' } };
  const plan = simulate(
    snapshotOf(cluster({ nodes: [node], pods: [pod('old', '3', 'there'), ended, pod('fits', '900m'), pod('more', '900m')] })),
  );
  expect([...plan.placements].map(([name, pods]) => [name, pods.map(({ metadata }) => metadata.name)])).toEqual([['there', ['fits']]]);
  expect(plan.plannedNodes.map(({ cheapest }) => [cheapest.offering.zone, cheapest.offering.capacityType])).toEqual([['a', 'spot']]);
});

test('what the nodes of a pool have counts against its limits', () => {
  const limited = { ...plainPool('default'), spec: { ...plainPool('default').spec, limits: { cpu: '5' } } };
  expect(
    simulate(snapshotOf(cluster({ nodePools: [limited], nodes: [node], pods: [pod('web', '3900m'), pod('more', '1')] }))).rejections,
  ).toHaveLength(1);
});

test('what is malformed is named, and the rest is planned', () => {
  const daemon = { metadata: { name: 'logs' }, spec: { template: { spec: pod('', 'lots').spec } } } satisfies DaemonSet;
  const plan = simulate(snapshotOf(cluster({ daemonSets: [daemon], pods: [pod('web', '1')] })));
  expect(plan.plannedNodes).toHaveLength(1);
  expect(plan.leftOut?.map(explainLeftOut)).toEqual([
    expect.stringContaining('DaemonSet default/logs is left out: spec.template.spec.containers[0]'),
  ]);
});

test('an amount of a size that is no quantity leaves the size out, with the text', () => {
  const plan = simulate(snapshotOf(cluster({ instanceTypes: [{ ...small, capacity: { cpu: 'two' } }] })));
  expect(plan.leftOut?.map(explainLeftOut)).toEqual([expect.stringContaining('capacity.cpu is "two": is no quantity')]);
});

test('null says what a missing field says', () => {
  const spec = {
    containers: [{ name: 'main', resources: null, ports: null }],
    affinity: { nodeAffinity: null },
    tolerations: null,
    volumes: null,
  };
  const pods = JSON.parse(
    JSON.stringify([{ metadata: { name: 'web', labels: null, creationTimestamp: null }, spec, status: null }]),
  ) as Pod[];
  expect(simulate(snapshotOf(cluster({ pods }))).plannedNodes).toHaveLength(1);
});

const affinity = (nodeAffinity: object): object => ({ containers: [], affinity: { nodeAffinity } });

test.each<readonly [string, unknown, string]>([
  ['no spec', undefined, 'spec.containers is "undefined"'],
  ['containers that are no list', { containers: { name: 'main' } }, 'spec.containers is "{"name":"main"}": must be a list'],
  ['required node affinity without terms', affinity({ requiredDuringSchedulingIgnoredDuringExecution: {} }), 'nodeSelectorTerms is "[]"'],
  [
    'a weight without a preference',
    affinity({ preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] }),
    'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference is "undefined"',
  ],
])('a pod with %s is refused by the field, and the others are planned', (_, spec, said) => {
  const broken = { metadata: { name: 'broken' }, spec } as Pod;
  const plan = simulate(snapshotOf(cluster({ pods: [broken, pod('web', '1')] })));
  expect(plan.plannedNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual([['web']]);
  expect(plan.rejections.map(explain)).toEqual([expect.stringContaining(said)]);
});

test('no place is sought for pods that are gated, being deleted, of a DaemonSet or mirror pods', () => {
  const owned = (kind: string): Pod => ({
    ...pod(kind, '1'),
    metadata: { name: kind, ownerReferences: [{ apiVersion: 'v1', kind, name: 'o', uid: 'u' }] },
  });
  const gated: Pod = { ...pod('gated', '1'), spec: { ...pod('gated', '1').spec, schedulingGates: [{ name: 'wait' }] } };
  const going: Pod = { ...pod('going', '1'), metadata: { name: 'going', deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const { plannedNodes, rejections } = simulate(snapshotOf(cluster({ pods: [gated, going, owned('DaemonSet'), owned('Node')] })));
  expect([plannedNodes, rejections]).toEqual([[], []]);
});

test('claims, volumes, classes and attach limits are read', () => {
  const using = (name: string): Pod => ({
    ...pod(name, '100m'),
    spec: { ...pod(name, '100m').spec, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] },
  });
  const claim = (name: string): NonNullable<PlainCluster['persistentVolumeClaims']>[number] => ({
    metadata: { name, namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: name, accessModes: ['ReadWriteOnce'] },
  });
  const volume = (name: string, zone: string): NonNullable<PlainCluster['persistentVolumes']>[number] => ({
    metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
    spec: { csi: { driver: 'disk.example.com' } },
  });
  const zoned: Node = { ...node, metadata: { name: 'there', labels: { 'topology.kubernetes.io/zone': 'b' } } };
  const plan = simulate(
    snapshotOf(
      cluster({
        nodes: [zoned],
        csiNodes: [{ metadata: { name: 'there' }, spec: { drivers: [{ name: 'disk.example.com', allocatable: { count: 1 } }] } }],
        pods: [using('one'), using('two'), { ...using('new') }],
        persistentVolumeClaims: [
          claim('one'),
          claim('two'),
          { metadata: { name: 'new', namespace: 'default' }, spec: { storageClassName: 'in-a' } },
        ],
        persistentVolumes: [volume('one', 'b'), volume('two', 'b')],
        storageClasses: [
          {
            metadata: { name: 'in-a' },
            provisioner: 'disk.example.com',
            volumeBindingMode: 'WaitForFirstConsumer',
            allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a'] }] }],
          },
        ],
      }),
    ),
  );
  expect([...plan.placements].map(([name, own]) => [name, own.length])).toEqual([['there', 1]]);
  expect(plan.plannedNodes.map(({ cheapest }) => cheapest.offering.zone).sort()).toEqual(['a', 'b']);
  expect(plan.rejections).toEqual([]);
});

test('pools and DaemonSets without their template are left out, with the field that is missing', () => {
  const half = (name: string, spec: unknown): never => ({ metadata: { name }, spec }) as never;
  const plan = simulate(
    snapshotOf(
      cluster({
        nodePools: [half('bare', undefined), half('empty', {}), plainPool('default')],
        daemonSets: [half('logs', undefined)],
        pods: [pod('web', '1')],
      }),
    ),
  );
  expect(plan.plannedNodes.map(({ nodePoolName }) => nodePoolName)).toEqual(['default']);
  expect(plan.leftOut?.map(({ name, problem }) => [name, problem.field])).toEqual([
    ['bare', 'spec'],
    ['empty', 'spec.template'],
    ['default/logs', 'spec'],
  ]);
});

test('where nothing is on sale, that is what is said', () => {
  const [rejection] = simulate(snapshotOf(cluster({ instanceTypes: [], pods: [pod('web', '1')] }))).rejections;
  expect(rejection && explain(rejection)).toBe('Pod default/web found no place: NodePool default: its provider offers no instance type');
});
