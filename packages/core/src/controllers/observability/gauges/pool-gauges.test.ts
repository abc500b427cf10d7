import { expect, test } from '@jest/globals';
import type { NodePool } from '../../../apis/index.ts';
import type { Resources } from '../../../kube/index.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { aNodePool } from '../../../testing/objects.ts';
import { poolGauges } from './pool-gauges.ts';

const limitedPool = (limits: NodePool['spec']['limits']): NodePool => aNodePool('general', limits && { spec: { limits } });

const poolGaugesOf = (pools: readonly NodePool[], usage: Resources) => {
  const cluster = { pools };
  const { metrics, read } = recordingMetrics();
  poolGauges(metrics, { pools: () => cluster.pools, usageOf: () => usage, clusterLimits: () => undefined });
  const shown = (name: string) =>
    Object.fromEntries(read(name).map(({ labels, value }) => [`${labels['nodepool']} ${labels['resource_type']}`, value]));
  return { cluster, shown };
};

test.each<[string, NodePool['spec']['limits'], Readonly<Record<string, number>>]>([
  ['no limit, no series', undefined, {}],
  ['cpu in cores, memory in bytes', { cpu: '1500m', memory: '2Gi' }, { 'general cpu': 1.5, 'general memory': 2 ** 31 }],
  ['a limit of nothing is a limit', { cpu: '0', nodes: '5' }, { 'general cpu': 0, 'general nodes': 5 }],
  ['a name as the original writes it', { 'ephemeral-storage': '1k' }, { 'general ephemeral_storage': 1000 }],
  ['a limit that cannot be read costs no other its series', { cpu: 'lots', memory: '1' }, { 'general memory': 1 }],
])('limits: %s', (_title, limits, expected) => {
  expect(poolGaugesOf([limitedPool(limits)], {}).shown('karpenter_nodepools_limit')).toEqual(expected);
});

test('the minimum, of dynamic pools only', () => {
  const withMinimum = (spec: Partial<NodePool['spec']>): NodePool => {
    const pool = limitedPool(undefined);
    return { ...pool, spec: { ...pool.spec, minimum: { cpu: '500m', nodes: '2' }, ...spec } };
  };
  const name = 'karpenter_nodepools_minimum';
  expect(poolGaugesOf([withMinimum({})], {}).shown(name)).toEqual({ 'general cpu': 0.5, 'general nodes': 2 });
  expect(poolGaugesOf([withMinimum({ replicas: 1 })], {}).shown(name)).toEqual({});
});

test.each<[string, Resources, Readonly<Record<string, number>>]>([
  ['zeros of a pool without machines', {}, { cpu: 0, memory: 0, pods: 0, ephemeral_storage: 0, nodes: 0 }],
  [
    'what the machines have together, and how many they are',
    { cpu: 5500, memory: 2e10, pods: 220, 'ephemeral-storage': 1e11, nodes: 2, 'nvidia.com/gpu': 1 },
    { cpu: 5.5, memory: 2e10, pods: 220, ephemeral_storage: 1e11, nodes: 2, 'nvidia.com/gpu': 1 },
  ],
])('usage: %s', (_title, usage, expected) => {
  const named = Object.fromEntries(Object.entries(expected).map(([resource, amount]) => [`general ${resource}`, amount]));
  expect(poolGaugesOf([limitedPool(undefined)], usage).shown('karpenter_nodepools_usage')).toEqual(named);
});

test('a pool that is gone is shown no longer', () => {
  const { cluster, shown } = poolGaugesOf([limitedPool({ cpu: '1' })], { nodes: 1 });
  cluster.pools = [];
  expect([shown('karpenter_nodepools_limit'), shown('karpenter_nodepools_usage')]).toEqual([{}, {}]);
});

test('limits of the cluster are shown with what is used of them', () => {
  const { metrics, read } = recordingMetrics();
  const clusterLimits = { limits: { cpu: 8000, nodes: 3 }, usage: { cpu: 5500, memory: 1, nodes: 2 } };
  poolGauges(metrics, { pools: () => [], usageOf: () => ({}), clusterLimits: () => clusterLimits });
  const shown = (name: string) => read(name).map(({ labels, value }) => [labels['resource_type'], value]);
  expect(shown('karpenter_cluster_limit')).toEqual([
    ['cpu', 8],
    ['nodes', 3],
  ]);
  expect(shown('karpenter_cluster_usage')).toEqual([
    ['cpu', 5.5],
    ['nodes', 2],
  ]);
});
