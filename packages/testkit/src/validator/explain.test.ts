import { type ClusterSnapshot, defaultSchedulingPolicy, explain, explainTree, labels, type Rejection, simulate } from '@karpenter/core';
import type { LaunchBlock } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  awayFrom,
  inZone,
  labelled,
  named,
  nextTo,
  requesting,
  requiringAnyOf,
  catalogWithReservations,
  runningOn,
  spreadOver,
  withNodeSelector,
} from '../builders/index.ts';
import type { PodTrait, SnapshotOptions } from '../builders/index.ts';

const GIB = 1024 ** 3;

/** The reason of the last pod of a plan. */
const rejectionOf = (snapshot: ClusterSnapshot): Rejection => {
  const rejection = simulate(snapshot, defaultSchedulingPolicy, () => false).rejections.at(-1);
  if (rejection === undefined) throw new Error('every pod found a place');
  return rejection;
};
const sentenceFor = (cluster: SnapshotOptions, ...traits: readonly PodTrait[]): string =>
  explain(rejectionOf(aSnapshot({ ...cluster, pending: [aPod(named('web'), ...traits)] })));

const gpu = anInstanceType({ name: 'gpu', cpus: 8, others: { 'nvidia.com/gpu': 1 } });
const team = aNodePool({ name: 'team', labels: { team: 'shop' } });
const limited = aNodePool({ name: 'general-purpose', limits: { cpu: '16' } });
const dedicated = aNodePool({ name: 'dedicated', taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] });
const various = aNodePool({ requirements: [{ key: labels.instanceType, operator: 'Exists', minValues: 5 }] });
const app = { labelSelector: { matchLabels: { app: 'web' } } };
const zonal = { maxSkew: 1, topologyKey: labels.zone, whenUnsatisfiable: 'DoNotSchedule' as const, ...app };

describe('what a person reads about a pod that found no place', () => {
  test.each<[string, SnapshotOptions, readonly PodTrait[], string]>([
    [
      'more cpu than any machine has',
      {},
      [requesting({ cpuMillis: 64_000 })],
      'Pod default/web found no place: it asks for 64 cpu, and no instance type has more than 15.9 for pods. NodePool default: none of 4 instance types fit the cpu',
    ],
    [
      '1000 where 1000m was meant',
      {},
      [requesting({ cpuMillis: 1_000_000 })],
      'Pod default/web found no place: it asks for 1000 cpu, and no instance type has more than 15.9 for pods; looks like 1000 was meant as 1000m. NodePool default: none of 4 instance types fit the cpu',
    ],
    [
      'two resources that no one type has together',
      { instanceTypes: [gpu, anInstanceType({ cpus: 64 })] },
      [requesting({ cpuMillis: 20_000, 'nvidia.com/gpu': 1 })],
      'Pod default/web found no place: NodePool default: 1 of 2 instance types fits the cpu; it does not fit the nvidia.com/gpu',
    ],
    [
      'a resource that is misspelled',
      { instanceTypes: [gpu] },
      [requesting({ 'nvidia.com/gpus': 1 })],
      'Pod default/web found no place: no instance type has nvidia.com/gpus; did you mean nvidia.com/gpu? NodePool default: its only instance type does not fit the nvidia.com/gpus',
    ],
    [
      'a zone that nobody sells',
      {},
      [inZone('test-zone-9')],
      'Pod default/web found no place: no NodePool allows topology.kubernetes.io/zone test-zone-9, only test-zone-1, test-zone-2, test-zone-3; did you mean test-zone-1? NodePool default: none of 4 instance types meet topology.kubernetes.io/zone In [test-zone-9]',
    ],
    [
      'a label that is misspelled',
      { nodePools: [team] },
      [withNodeSelector({ teem: 'shop' })],
      'Pod default/web found no place: no NodePool sets the label teem; did you mean team? NodePool team: the pod wants teem In [shop], the pool offers no such label',
    ],
    [
      'a label value that is misspelled',
      { nodePools: [team] },
      [withNodeSelector({ team: 'shpo' })],
      'Pod default/web found no place: no NodePool allows team shpo, only shop; did you mean shop? NodePool team: the pod wants team In [shpo], the pool offers team In [shop]',
    ],
    [
      'a taint',
      { nodePools: [dedicated] },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePool dedicated: its taint dedicated=gpu:NoSchedule is not tolerated',
    ],
    [
      'pools that say the same',
      { nodePools: ['a', 'b', 'c'].map((name) => aNodePool({ ...dedicated.spec.template.spec, name })) },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePools a, b, c: its taint dedicated=gpu:NoSchedule is not tolerated',
    ],
    [
      '500 where 500m was meant',
      {},
      [requesting({ cpuMillis: 500_000 })],
      'Pod default/web found no place: it asks for 500 cpu, and no instance type has more than 15.9 for pods; looks like 500 was meant as 500m. NodePool default: none of 4 instance types fit the cpu',
    ],
    [
      'M where m was meant',
      {},
      [requesting({ cpuMillis: 100_000_000_000 })],
      'Pod default/web found no place: it asks for 100000000 cpu, and no instance type has more than 15.9 for pods; looks like 100000000 was meant as 100m. NodePool default: none of 4 instance types fit the cpu',
    ],
    [
      'a limit that is passed already',
      { nodePoolViews: [{ nodePool: limited, instanceTypes: [anInstanceType({ cpus: 4 })], usage: { cpu: 20_000, nodes: 5 } }] },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePool general-purpose: it uses 20 cpu already, and its limit is 16',
    ],
    [
      'a limit of one node',
      { nodePoolViews: [{ nodePool: aNodePool({ limits: { nodes: 1 } }), instanceTypes: [gpu], usage: { nodes: 1 } }] },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePool default: its limit of 1 node is reached',
    ],
    [
      'anti-affinity that no zone meets, beside a spread that each meets',
      {
        nodes: ['test-zone-1', 'test-zone-2', 'test-zone-3'].map((zone) =>
          aNode({ name: zone, zone, allocatable: { pods: 1 }, pods: [aPod(labelled({ app: 'db' }), runningOn(zone))] }),
        ),
      },
      [labelled({ app: 'web' }), spreadOver(zonal), awayFrom({ topologyKey: labels.zone, labelSelector: { matchLabels: { app: 'db' } } })],
      'Pod default/web found no place: NodePool default: pod anti-affinity over topology.kubernetes.io/zone leaves no domain that its nodes could be in',
    ],
    [
      'a limit that leaves too little',
      { nodePoolViews: [{ nodePool: limited, instanceTypes: [anInstanceType({ cpus: 4 })], usage: { cpu: 13_000, nodes: 3 } }] },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePool general-purpose: its cpu limit leaves 3 of 16, and the smallest instance type that would do has 4',
    ],
    [
      'a limit of nodes',
      { nodePoolViews: [{ nodePool: aNodePool({ limits: { nodes: 3 } }), instanceTypes: [gpu], usage: { nodes: 3 } }] },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePool default: its limit of 3 nodes is reached',
    ],
    [
      'daemons that leave too little',
      { instanceTypes: [anInstanceType({ cpus: 2 })], daemonSets: [aDaemonSet('logs', requesting({ cpuMillis: 1000 }))] },
      [requesting({ cpuMillis: 1500 })],
      'Pod default/web found no place: it asks for 1.5 cpu, and no instance type has more than 0.9 for pods. NodePool default: its only instance type does not fit the cpu beside the pods of DaemonSets',
    ],
    [
      'too few types for minValues',
      { nodePools: [various] },
      [requesting({ cpuMillis: 500 })],
      'Pod default/web found no place: NodePool default: its minValues want 5 values of node.kubernetes.io/instance-type among the instance types, 4 are left',
    ],
    [
      'anti-affinity to a pod in the only zone',
      {
        nodes: [aNode({ name: 'n', zone: 'test-zone-1', pods: [aPod(labelled({ app: 'web' }), runningOn('n'))] })],
        instanceTypes: [anInstanceType({ zones: ['test-zone-1'] })],
      },
      [awayFrom({ topologyKey: labels.zone, ...app })],
      'Pod default/web found no place: NodePool default: pod anti-affinity over topology.kubernetes.io/zone leaves no domain that its nodes could be in',
    ],
    [
      'affinity to a pod that is nowhere',
      {},
      [nextTo({ topologyKey: labels.zone, labelSelector: { matchLabels: { app: 'db' } } })],
      'Pod default/web found no place: NodePool default: pod affinity over topology.kubernetes.io/zone leaves no domain that its nodes could be in',
    ],
    [
      'a spread that would lean too far',
      { nodes: [aNode({ name: 'n', zone: 'test-zone-1', pods: [aPod(labelled({ app: 'web' }), runningOn('n'))] })] },
      [inZone('test-zone-1'), labelled({ app: 'web' }), spreadOver({ ...zonal, nodeAffinityPolicy: 'Ignore' })],
      'Pod default/web found no place: NodePool default: topology spread over topology.kubernetes.io/zone leaves no domain that its nodes could be in',
    ],
    ['no pool', { nodePools: [] }, [], 'Pod default/web found no place: no NodePool is ready'],
    [
      'an operator without values',
      {},
      [requiringAnyOf({ matchExpressions: [{ key: labels.zone, operator: 'In' }] })],
      'Pod default/web cannot be scheduled: spec.affinity.nodeAffinity.required.matchExpressions[topology.kubernetes.io/zone] is "In []": In takes at least one value',
    ],
    [
      'memory and a zone that do not go together',
      {
        instanceTypes: [
          anInstanceType({ name: 'big', cpus: 16, memoryBytes: 256 * GIB, zones: ['test-zone-1'] }),
          anInstanceType({ name: 'small', cpus: 2, zones: ['test-zone-2'] }),
        ],
      },
      [inZone('test-zone-2'), requesting({ memoryBytes: 100 * GIB })],
      'Pod default/web found no place: NodePool default: 1 of 2 instance types meets topology.kubernetes.io/zone In [test-zone-2]; it does not fit the memory',
    ],
    [
      'three resources, one after the other',
      { instanceTypes: [anInstanceType({ cpus: 64, memoryBytes: GIB }), anInstanceType({ name: 'b', cpus: 64, memoryBytes: GIB }), gpu] },
      [requesting({ cpuMillis: 20_000, memoryBytes: 2 * GIB })],
      'Pod default/web found no place: NodePool default: 2 of 3 instance types fit the cpu; none of them fit the memory',
    ],
    [
      'a bound that a pool is beyond',
      { nodePools: [aNodePool({ requirements: [{ key: 'example.com/cpus', operator: 'Lt', values: ['5'] }] })] },
      [requiringAnyOf({ matchExpressions: [{ key: 'example.com/cpus', operator: 'Gt', values: ['5'] }] })],
      'Pod default/web found no place: NodePool default: the pod wants example.com/cpus at least 6, the pool offers example.com/cpus at most 4',
    ],
    [
      'an architecture that the pool rules out',
      { nodePools: [aNodePool({ requirements: [{ key: labels.arch, operator: 'In', values: ['amd64'] }] })] },
      [withNodeSelector({ [labels.arch]: 'arm64' })],
      'Pod default/web found no place: no NodePool allows kubernetes.io/arch arm64, only amd64. NodePool default: the pod wants kubernetes.io/arch In [arm64], the pool offers kubernetes.io/arch In [amd64]',
    ],
  ])('%s', (...[, cluster, traits, text]) => {
    expect(sentenceFor(cluster, ...traits)).toBe(text);
  });
});

test('machines that are sold out of a reservation only are distinguished once it is used up', () => {
  const reserved = { zone: 'test-zone-1', capacityType: 'reserved', pricePerHour: 0.01, reservation: { id: 'r-1', remaining: 0 } };
  const instanceTypes = [anInstanceType({ cpus: 8, offerings: [reserved] }), anInstanceType({ name: 'small', cpus: 1 })];
  const snapshot = aSnapshot({ instanceTypes, pending: [aPod(named('web'), requesting({ cpuMillis: 4000 }))] });
  const policy = { ...defaultSchedulingPolicy, labelCatalog: catalogWithReservations };
  const [rejection] = simulate(snapshot, policy, () => false).rejections;
  expect(rejection && explain(rejection)).toBe(
    'Pod default/web found no place: NodePool default: 1 of 2 instance types fits the cpu; it is not sold outside of reservations, which are used up',
  );
});

test('the same as a tree names what would help, and every pool with a line for each step', () => {
  const pending = [aPod(named('web'), inZone('test-zone-4'), requesting({ cpuMillis: 20_000, 'nvidia.com/gpu': 1 }))];
  const snapshot = aSnapshot({ nodePools: [dedicated, limited], instanceTypes: [gpu, anInstanceType({ cpus: 64 })], pending });
  expect(explainTree(rejectionOf(snapshot)).split('\n')).toEqual([
    'Pod default/web found no place',
    '├─ no NodePool allows topology.kubernetes.io/zone test-zone-4, only test-zone-1, test-zone-2, test-zone-3; did you mean test-zone-1?',
    '├─ NodePool dedicated',
    '│  └─ its taint dedicated=gpu:NoSchedule is not tolerated',
    '└─ NodePool general-purpose',
    '   └─ none of 2 instance types meet topology.kubernetes.io/zone In [test-zone-4]',
  ]);
});

test('of many pools with many reasons the line names some, and counts the rest', () => {
  const nodePools = Array.from({ length: 9 }, (_, i) =>
    aNodePool({ name: `pool-${i}`, taints: [{ key: `own-${i}`, effect: 'NoSchedule' }] }),
  );
  expect(sentenceFor({ nodePools })).toMatch(
    /NodePool pool-3: its taint own-3:NoSchedule is not tolerated\. 5 more NodePools have other reasons$/,
  );
});

test('pools that launch nothing for now are named, also where there is no other', () => {
  const blocked = (launchBlock: LaunchBlock, name: string) =>
    ({ nodePool: aNodePool({ name }), instanceTypes: [], usage: {}, mayLaunch: false, launchBlock }) as const;
  const snapshot = aSnapshot({ nodePools: [dedicated], pending: [aPod(named('web'), withNodeSelector({ team: 'shop' }))] });
  const closed = [blocked('launches-failing', 'spot'), blocked('not-ready', 'general')];
  const texts = ['NodePool general: it is not ready', 'NodePool spot: it pauses, because its launches keep failing'].join('. ');
  expect(explain(rejectionOf({ ...snapshot, nodePools: closed }))).toBe(`Pod default/web found no place: ${texts}`);
  expect(explain(rejectionOf({ ...snapshot, nodePools: [...snapshot.nodePools, ...closed] }))).toMatch(
    new RegExp(`NodePool dedicated: its taint .* is not tolerated. ${texts}$`),
  );
});

describe('a pod that is pinned to a NodePool', () => {
  const pinnedTo = (name: string) => withNodeSelector({ 'karpenter.sh/nodepool': name });
  const closed = (name: string, launchBlock: LaunchBlock) =>
    ({ nodePool: aNodePool({ name }), instanceTypes: [], usage: {}, mayLaunch: false, launchBlock }) as const;
  const sentenceOfPod = (pod: ReturnType<typeof aPod>): string => {
    const snapshot = aSnapshot({ nodePools: [aNodePool({ name: 'general' })], pending: [pod] });
    const blocked = [closed('general-2', 'not-ready'), closed('fixed', 'static'), closed('old', 'deleting')];
    return explain(rejectionOf({ ...snapshot, nodePools: [...snapshot.nodePools, ...blocked] }));
  };

  test.each([
    ['general-2', 'NodePool general-2: it is not ready'],
    ['fixed', 'NodePool fixed: it keeps a fixed number of nodes (replicas), and launches none for pods'],
    ['old', 'NodePool old: it is being deleted'],
  ])('%s, which launches nothing, gets that reason and no other name', (name, text) => {
    expect(sentenceOfPod(aPod(named('web'), pinnedTo(name)))).toBe(`Pod default/web found no place: ${text}`);
  });

  test('general-3, of another provider, gets that reason and no other name', () => {
    const snapshot = aSnapshot({ nodePools: [aNodePool({ name: 'general' })], pending: [aPod(named('web'), pinnedTo('general-3'))] });
    const text = 'NodePool general-3: its nodeClassRef names a group and kind of another provider';
    expect(explain(rejectionOf({ ...snapshot, foreignPools: ['general-3'] }))).toBe(`Pod default/web found no place: ${text}`);
  });

  test('general-4, which is malformed, gets that reason and no other name', () => {
    const broken = aNodePool({ name: 'general-4', requirements: [{ key: labels.zone, operator: 'In', values: [] }] });
    const nodePools = [aNodePool({ name: 'general' }), broken];
    expect(sentenceFor({ nodePools }, pinnedTo('general-4'))).toBe(
      'Pod default/web found no place: NodePool general-4: it is left out, because it is malformed',
    );
  });

  test.each(['general-2', 'fixed', 'old'])('%s in one of two alternatives gets no other name as a hint', (name) => {
    const alternatives = requiringAnyOf(
      { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: [name] }] },
      { matchExpressions: [{ key: labels.zone, operator: 'In', values: ['test-zone-9'] }] },
    );
    const text = sentenceOfPod(aPod(named('web'), alternatives));
    expect(text).not.toContain('did you mean');
    expect(text).toContain(`NodePool ${name}: it `);
  });

  test('a value that no label can have gets no other value as a hint', () => {
    const alternatives = requiringAnyOf({ matchExpressions: [{ key: labels.zone, operator: 'In', values: ['\u001b[2J'] }] });
    expect(sentenceOfPod(aPod(named('web'), alternatives))).toContain(
      `no label can have the required value of ${labels.zone}; NodePools allow`,
    );
  });

  test('of a name that does not exist gets the nearest one as a hint', () => {
    expect(sentenceOfPod(aPod(named('web'), pinnedTo('generla')))).toContain('did you mean general?');
  });

  test('of a name that does not exist gets the nearest one that exists as a hint, also when it is not ready', () => {
    expect(sentenceOfPod(aPod(named('web'), pinnedTo('genral-2')))).toContain(
      'no NodePool allows karpenter.sh/nodepool genral-2, only general, general-2; did you mean general-2?',
    );
  });
});

test('a pod that asks for nodes without the label of NodePools has opted out', () => {
  const terms = [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' as const }] }];
  const pod = aPod(named('own'));
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
  const rejection = rejectionOf(aSnapshot({ pending: [{ ...pod, spec: { ...pod.spec, affinity } }] }));
  expect(rejection.reason).toEqual({ kind: 'opted-out' });
  expect(explain(rejection)).toBe(
    'Pod default/own asks for a node without the label karpenter.sh/nodepool, which every node of Karpenter has',
  );
});
