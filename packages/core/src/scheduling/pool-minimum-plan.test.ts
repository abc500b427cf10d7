import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../apis/index.ts';
import type { NodePool } from '../apis/index.ts';
import { finish } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { ClusterLimits, NodePoolView } from '../cluster/index.ts';
import type { Resources } from '../kube/index.ts';
import { labelRequirements } from '../requirements/index.ts';
import { aNodePool } from '../testing/objects.ts';
import { planningMinimum } from './pool-minimum-plan.ts';
import { defaultSchedulingPolicy } from './policy.ts';

const typeOfCpus = (cpus: number, pricePerHour = cpus / 10, capacity: Resources = {}): InstanceType => ({
  name: `cpu-${cpus}`,
  requirements: labelRequirements({ [labels.instanceType]: `cpu-${cpus}`, [labels.arch]: 'amd64', [labels.zone]: 'z1' }),
  offerings: [
    {
      ...{ zone: 'z1', capacityType: 'on-demand', pricePerHour, isAvailable: true },
      requirements: labelRequirements({ [labels.zone]: 'z1', [labels.capacityType]: 'on-demand' }),
    },
  ],
  capacity: { cpu: cpus * 1000, memory: cpus * 4 * 2 ** 30, pods: 110, ...capacity },
  overhead: {},
});

const poolOf = (instanceTypes: readonly InstanceType[], limits: NodePool['spec']['limits'] = {}, usage: Resources = {}): NodePoolView => ({
  nodePool: aNodePool('warm', { spec: { limits } }),
  instanceTypes,
  usage,
});

const GIB = 2 ** 30;
const sizes = [2, 4, 8, 16].map((cpus) => typeOfCpus(cpus));

/** The likely sizes in cpus, and the number of types that each node may become. */
const minimumPlan = (pool: NodePoolView, shortage: Resources, clusterLimits?: ClusterLimits) => {
  const policy = { ...defaultSchedulingPolicy, labelCatalog: defaultLabelCatalog };
  const cluster = { daemonSets: [], ...(clusterLimits && { clusterLimits }) };
  const nodes = finish(planningMinimum({ pool, shortage, leaving: [], beside: [] }, cluster, policy));
  expect(nodes.every(({ pods }) => pods.length === 0)).toBe(true);
  return {
    cpus: nodes.map(({ cheapest }) => (cheapest.instanceType.capacity['cpu'] ?? 0) / 1000),
    types: nodes.map((node) => node.instanceTypes.length),
  };
};

describe('what a pool lacks of its minimum is planned', () => {
  test('when it lacks nodes › as the cheapest ones, of any type', () => {
    expect(minimumPlan(poolOf(sizes), { nodes: 2 })).toEqual({ cpus: [2, 2], types: [4, 4] });
  });

  test('when it lacks cpu › as few nodes of what costs least, and none larger than needed where that costs more', () => {
    expect(minimumPlan(poolOf(sizes), { cpu: 34_000 }).cpus).toEqual([16, 16, 2]);
    expect(minimumPlan(poolOf([typeOfCpus(4, 0.3), typeOfCpus(8, 0.8)]), { cpu: 8000 }).cpus).toEqual([4, 4]);
  });

  test('when it lacks nodes and cpu › in nodes of about the same size', () => {
    expect(minimumPlan(poolOf(sizes), { nodes: 3, cpu: 24_000 }).cpus).toEqual([8, 8, 8]);
  });

  test('when only a large type has the resource › as that type', () => {
    const types = [typeOfCpus(2), typeOfCpus(16, 9, { 'nvidia.com/gpu': 4 })];
    expect(minimumPlan(poolOf(types), { 'nvidia.com/gpu': 5 }).cpus).toEqual([16, 16]);
  });

  test('when no type has one of the resources › as far as the others go', () => {
    expect(minimumPlan(poolOf(sizes), { 'nvidia.com/gpu': 1 }).cpus).toEqual([]);
    expect(minimumPlan(poolOf(sizes), { 'nvidia.com/gpu': 1, cpu: 4000 }).cpus).toEqual([4]);
    expect(minimumPlan(poolOf(sizes), { 'nvidia.com/gpu': 1, nodes: 2 }).cpus).toEqual([2, 2]);
  });

  test('when no type has all of the resources › each from a type that has it', () => {
    const types = [typeOfCpus(8, 1, { 'nvidia.com/gpu': 1 }), typeOfCpus(4, 1, { 'amd.com/gpu': 2 })];
    expect(minimumPlan(poolOf(types), { 'nvidia.com/gpu': 1, 'amd.com/gpu': 2 }).cpus).toEqual([8, 4]);
  });

  test('when the pool’s limits leave room for less › as far as there is room, in types that keep the limit', () => {
    expect(minimumPlan(poolOf(sizes, { nodes: '3' }, { nodes: 1 }), { nodes: 5 }).cpus).toEqual([2, 2]);
    expect(minimumPlan(poolOf(sizes, { cpu: '10' }, { cpu: 3000 }), { cpu: 16_000 }).cpus).toEqual([4, 2]);
  });

  test('when the cluster’s limits leave room for less › as far as there is room', () => {
    const limits = { limits: { memory: 20 * GIB }, usage: { memory: 10 * GIB } };
    expect(minimumPlan(poolOf(sizes), { nodes: 5 }, limits).cpus).toEqual([2]);
  });
});
