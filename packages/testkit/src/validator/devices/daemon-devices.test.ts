import { type ClusterSnapshot, explain, type Plan, type Pod } from '@karpenter/core';
import type { DaemonSet, Device, DeviceView, NodeView, ResourceClaimSpec } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aDaemonSet, aNode, aSnapshot } from '../../builders/index.ts';
import { claimOf, devicesOf, DRIVER, gpus, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

type Exact = Parameters<typeof request>[1];

/** A DaemonSet each of whose pods claims devices of its own. */
const aDaemon = (name: string): DaemonSet => {
  const { metadata, spec } = aDaemonSet(name);
  const resourceClaims = [{ name: 'own', resourceClaimTemplateName: name }];
  return { metadata, spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, resourceClaims } } } };
};

/** The classes and claims, with a template for each daemon. */
const withTemplates = (view: DeviceView, daemons: Readonly<Record<string, Exact>>): DeviceView => ({
  ...view,
  templates: new Map(
    Object.entries(daemons).map(([name, exactly]) => {
      const spec: ResourceClaimSpec = { devices: { requests: [request('r', exactly)] } };
      return [`kube-system/${name}`, { metadata: { name, namespace: 'kube-system' }, spec: { spec } }];
    }),
  ),
});

interface Cluster {
  /** Daemon → its request. */
  readonly daemons: Readonly<Record<string, Exact>>;
  readonly sizes?: readonly number[];
  readonly pods: number;
  readonly count?: number;
  readonly traits?: (index: number) => Partial<Device>;
  readonly nodes?: readonly NodeView[];
  readonly slices?: Parameters<typeof devicesOf>[1];
}

const clusterOf = ({ daemons, sizes = [], pods, count = 1, traits, nodes = [], slices = [] }: Cluster): ClusterSnapshot => {
  const claims = Array.from({ length: pods }, (_, index) => claimOf(`claim-${index}`, [request('r', { count })]));
  return aSnapshot({
    ...{ nodes, daemonSets: Object.keys(daemons).map(aDaemon) },
    instanceTypes: sizes.map((size) => typeWith(`gpus-${size}`, gpus(size, traits), { cpus: size + 1 })),
    pending: claims.map((claim) => usingClaims(claim)),
    devices: withTemplates(devicesOf(claims, slices), daemons),
  });
};

const types = ({ plannedNodes }: Plan): readonly string[] =>
  plannedNodes.map(({ cheapest, pods }) => `${cheapest.instanceType.name}: ${pods.length}`).sort();

describe('on a planned node', () => {
  test.each<[when: string, cluster: Cluster, expected: readonly string[]]>([
    ['a daemon that claims a device leaves one fewer', { daemons: { logs: {} }, sizes: [2, 3], pods: 2 }, ['gpus-3: 2']],
    ['a type that has only the devices of the daemon is not chosen', { daemons: { logs: {} }, sizes: [1, 4], pods: 1 }, ['gpus-4: 1']],
    [
      'an administrator takes nothing',
      { daemons: { logs: { adminAccess: true, allocationMode: 'All' } }, sizes: [1], pods: 1 },
      ['gpus-1: 1'],
    ],
    ['a daemon whose claim no type can meet takes nothing', { daemons: { logs: { count: 3 } }, sizes: [2], pods: 2 }, ['gpus-2: 2']],
    ['two daemons take devices each', { daemons: { a: {}, b: {} }, sizes: [2, 3], pods: 1 }, ['gpus-3: 1']],
    [
      'of two daemons that do not both find devices, the first by name takes them',
      { daemons: { a: {}, b: { count: 2 } }, sizes: [2], pods: 1 },
      ['gpus-2: 1'],
    ],
  ])('%s', (_, cluster, expected) => {
    const plan = validatedPlan(clusterOf(cluster));
    expect(types(plan)).toEqual(expected);
    expect(plan.rejections).toEqual([]);
  });

  test('the rejection says how many devices are for DaemonSets', () => {
    const { rejections } = validatedPlan(clusterOf({ daemons: { logs: {} }, sizes: [2], pods: 1, count: 2 }));
    expect(rejections.map(explain)).toEqual([
      expect.stringContaining('wants 2 devices of DeviceClass gpu: of 2, 1 is for DaemonSets, 1 left'),
    ]);
  });

  test('a shared device that a daemon uses takes its counters once', () => {
    const slots = (value: number): Partial<Device> => ({ consumesCounters: [{ counterSet: 'set', counters: { slots: { value } } }] });
    const shared = { allowMultipleAllocations: true, capacity: { memory: { value: '4', requestPolicy: { default: '1' } } } };
    const own: readonly Device[] = [
      { name: 'gpu-0', attributes: { kind: { string: 'shared' } }, ...shared, ...slots(3) },
      { name: 'gpu-1', attributes: { kind: { string: 'own' } }, ...slots(2) },
    ];
    const templates = [
      { driver: DRIVER, pool: 'gpus', sharedCounters: [{ name: 'set', counters: { slots: { value: 5 } } }] },
      { driver: DRIVER, pool: 'gpus', devices: own },
    ];
    const instanceTypes = [typeWith('parts', [], { resourceSliceTemplates: templates })];
    const claims = [claimOf('x', [request('r')]), claimOf('y', [request('r', { count: 2 })], [{ distinctAttribute: `${DRIVER}/kind` }])];
    const plan = validatedPlan(
      aSnapshot({
        ...{ instanceTypes, daemonSets: [aDaemon('logs')], pending: claims.map((claim) => usingClaims(claim)) },
        devices: withTemplates(devicesOf(claims), { logs: {} }),
      }),
    );
    expect(types(plan)).toEqual(['parts: 2']);
  });
});

describe('on a node that exists', () => {
  const slices = [sliceOf(gpus(2), { name: 'here', nodeName: 'here' })];
  const podOf = (daemon: DaemonSet): Pod => ({
    metadata: {
      ...{ name: 'logs-x', namespace: 'kube-system', uid: 'logs-x' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemon.metadata.name, uid: daemon.metadata.uid ?? '' }],
    },
    spec: { ...daemon.spec.template.spec, nodeName: 'here', resourceClaims: [] },
  });

  test.each<[when: string, pods: readonly Pod[], placed: number]>([
    ['a daemon that is still to come has its device kept', [], 1],
    ['one that runs has nothing kept besides what it has', [podOf(aDaemon('logs'))], 2],
  ])('%s', (_, pods, placed) => {
    const plan = validatedPlan(clusterOf({ daemons: { logs: {} }, pods: 2, nodes: [aNode({ name: 'here', pods })], slices }));
    expect(plan.placements.get('here') ?? []).toHaveLength(placed);
  });
});
