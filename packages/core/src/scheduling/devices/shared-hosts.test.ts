import { describe, expect, test } from '@jest/globals';
import type { NodePool } from '../../apis/index.ts';
import { snapshotOf } from '../../cluster/index.ts';
import type { PlainCluster } from '../../cluster/index.ts';
import type { Affinity, Node, Pod } from '../../kube/index.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import type { SchedulingPolicy } from '../policy.ts';
import { simulate } from '../what-if.ts';
import { claimOf, DRIVER, nodePool } from './testing/a-gpu-claim.ts';

const deviceClasses = [{ metadata: { name: 'gpu' }, spec: {} }];
const { spec } = claimOf('gpu', [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }]);
const resourceClaimTemplates = [{ metadata: { name: 'gpu', namespace: 'default' }, spec: { spec } }];

const selector = { labelSelector: { matchLabels: { app: 'web' } } };
const together: Affinity = {
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', ...selector }] },
};

/** So many pods that must share a host, each with a GPU and a core. */
const webPodsTogether = (count: number, affinity: Affinity = together): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { name: `web-${index}`, namespace: 'default', labels: { app: 'web' } },
    spec: {
      affinity,
      containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }],
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
    },
  }));

interface Machine {
  readonly name: string;
  readonly gpus: number;
  readonly cpus?: number;
}

const devicesOf = ({ gpus }: Machine) => Array.from({ length: gpus }, (_, index) => ({ name: `gpu-${index}` }));

const amountsOf = ({ cpus = 64 }: Machine) => ({ cpu: String(cpus), memory: '256Gi', pods: '110' });

/** A type with GPUs, a dollar an hour each. */
const selling = (machine: Machine) => ({
  name: machine.name,
  capacity: amountsOf(machine),
  pricePerHour: { 'on-demand': machine.gpus },
  dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices: devicesOf(machine) }] },
});

const nodeOfMachine = (machine: Machine): Node => ({
  metadata: { name: machine.name, labels: { 'kubernetes.io/hostname': machine.name, disk: machine.name } },
  status: { capacity: amountsOf(machine), allocatable: amountsOf(machine), conditions: [{ type: 'Ready', status: 'True' }] },
});

/** What the nodes' drivers have published. */
const slicesOf = (machines: readonly Machine[]) =>
  machines.map((machine) => ({
    metadata: { name: machine.name },
    spec: {
      driver: DRIVER,
      nodeName: machine.name,
      pool: { name: machine.name, resourceSliceCount: 1 },
      devices: devicesOf(machine),
    },
  }));

interface Cluster extends Partial<Omit<PlainCluster, 'nodes'>> {
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Machine[];
  readonly soft?: readonly string[];
  readonly policy?: Partial<SchedulingPolicy>;
}

/** Node, or type of a planned node → how many pods it gets by first fit, without a search for a better plan. */
const outcomeIn = ({ nodes = [], soft = [], policy, ...cluster }: Cluster): readonly (readonly [string, number])[] => {
  const taints = [{ key: 'spare', effect: 'PreferNoSchedule' as const }];
  const snapshot = snapshotOf({
    ...{ nodePools: [nodePool], instanceTypes: [], deviceClasses, resourceClaimTemplates },
    resourceSlices: slicesOf(nodes),
    nodes: nodes.map((machine) => ({ ...nodeOfMachine(machine), ...(soft.includes(machine.name) && { spec: { taints } }) })),
    ...cluster,
  });
  const { plannedNodes, placements } = simulate(snapshot, { ...defaultSchedulingPolicy, packing: 'first-fit', ...policy });
  return [
    ...[...placements].map(([name, pods]) => [name, pods.length] as const),
    ...plannedNodes.map(({ cheapest, pods }) => [cheapest.instanceType.name, pods.length] as const),
  ];
};

const ofType = (name: string, type: string, weight: number): NodePool => {
  const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [type] }];
  const { template } = nodePool.spec;
  return { ...nodePool, metadata: { name }, spec: { weight, template: { ...template, spec: { ...template.spec, requirements } } } };
};

const [small, large] = [
  { name: 'small', gpus: 1 },
  { name: 'large', gpus: 4 },
];

describe('pods with devices that must share a host', () => {
  test('when the first node has devices for one › they go to the first that has devices for all', () => {
    const nodes = [small, large].map((machine) => ({ ...machine, name: machine === small ? 'a' : 'b' }));
    expect(outcomeIn({ pods: webPodsTogether(3), nodes })).toEqual([['b', 3]]);
  });

  test('when the first node has devices for all, and room for one › they go to the first that has both', () => {
    const nodes = [
      { name: 'a', gpus: 4, cpus: 1 },
      { name: 'b', gpus: 4 },
    ];
    expect(outcomeIn({ pods: webPodsTogether(3), nodes })).toEqual([['b', 3]]);
  });

  test('when the heavier pool sells small machines only › they get a machine of the other', () => {
    const nodePools = [ofType('heavy', 'small', 10), ofType('light', 'large', 1)];
    expect(outcomeIn({ pods: webPodsTogether(3), nodePools, instanceTypes: [small, large].map(selling) })).toEqual([['large', 3]]);
  });

  test('when a planned node has devices left for all of them › they join it', () => {
    const other = webPodsTogether(1, {}).map((pod) => ({ ...pod, metadata: { ...pod.metadata, name: 'job', labels: { app: 'job' } } }));
    const job = other.map((pod) => ({
      ...pod,
      spec: { ...pod.spec, containers: [{ name: 'main', resources: { requests: { cpu: '8' } } }] },
    }));
    const limits = { nodes: '1' };
    const nodePools = [{ ...nodePool, spec: { ...nodePool.spec, limits } }];
    expect(
      outcomeIn({
        pods: [...job, ...webPodsTogether(3)],
        nodePools,
        nodes: [{ name: 'a', gpus: 1, cpus: 4 }],
        instanceTypes: [selling(large)],
      }),
    ).toEqual([['large', 4]]);
  });

  test('when they share one claim, and the first node has room for one › they go to the first that has room for all', () => {
    const pods = webPodsTogether(3).map((pod) => ({
      ...pod,
      spec: { ...pod.spec, resourceClaims: [{ name: 'gpu', resourceClaimName: 'shared' }] },
    }));
    const nodes = [
      { name: 'a', gpus: 1, cpus: 1 },
      { name: 'b', gpus: 1 },
    ];
    const resourceClaims = [claimOf('shared', [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }])];
    expect(outcomeIn({ pods, nodes, resourceClaims })).toEqual([['b', 3]]);
  });

  test.each(['Respect', 'Weigh', 'Ignore'] as const)(
    'when only a node with soft taints has devices for all, and preferences are under %s › they go there',
    (preferences) => {
      const nodes = [
        { name: 'a', gpus: 1 },
        { name: 'b', gpus: 4 },
      ];
      const preferred = [{ weight: 100, preference: { matchExpressions: [{ key: 'disk', operator: 'In' as const, values: ['a'] }] } }];
      const affinity = { ...together, nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
      expect(outcomeIn({ pods: webPodsTogether(3, affinity), nodes, soft: ['b'], policy: { preferences } })).toEqual([['b', 3]]);
    },
  );

  test('when no place has devices for all › as many get a place as half of the largest holds', () => {
    const nodes = [
      { name: 'a', gpus: 1 },
      { name: 'b', gpus: 2 },
    ];
    expect(outcomeIn({ pods: webPodsTogether(4), nodes })).toEqual([['b', 2]]);
  });
});

test('pods with devices that need not share a host fill the first node, and go on to the next', () => {
  const nodes = [
    { name: 'a', gpus: 1 },
    { name: 'b', gpus: 4 },
  ];
  expect(outcomeIn({ pods: webPodsTogether(3, {}), nodes })).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});
