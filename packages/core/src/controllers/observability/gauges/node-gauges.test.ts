import { expect, test } from '@jest/globals';
import type { NodeView } from '../../../cluster/index.ts';
import { aBareNode } from '../../../cluster/testing/a-bare-cluster.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { aPodRequesting } from '../../../testing/objects.ts';
import { nodeGauges } from './node-gauges.ts';

const owned = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'log', uid: 'log' }] };

const measuredPod = (name: string, cpu: string, { nodeName, isDaemon = false }: { nodeName?: string; isDaemon?: boolean }): Pod =>
  aPodRequesting({ cpu, memory: '1Gi' }, name, { metadata: isDaemon ? owned : {}, spec: nodeName === undefined ? {} : { nodeName } });

const viewWith = (parts: Partial<NodeView>): NodeView =>
  aBareNode({
    name: 'a',
    allocatable: { cpu: 1900, memory: 7e9, 'ephemeral-storage': 5e10, 'hugepages-2Mi': 0, pods: 110 },
    ...parts,
  });

const nodeA: Node = { metadata: { name: 'a', labels: { 'karpenter.sh/nodepool': 'general', 'topology.kubernetes.io/zone': 'z1' } } };

const nodeGaugesOf = (cluster: { nodes: readonly Node[]; views: readonly NodeView[] }) => {
  const { metrics, read } = recordingMetrics();
  nodeGauges(metrics, { nodes: () => cluster.nodes, views: () => cluster.views });
  const shown = (name: string): Readonly<Record<string, number>> =>
    Object.fromEntries(read(`karpenter_nodes_${name}`).map(({ labels, value }) => [labels['resource_type'] ?? '', value]));
  return { read, shown };
};

interface Row {
  readonly view: Partial<NodeView>;
  readonly shows: string;
  readonly as: Readonly<Record<string, number>>;
}

const webAndLog = { pods: [measuredPod('web', '250m', { nodeName: 'a' }), measuredPod('log', '50m', { nodeName: 'a', isDaemon: true })] };
const limited = measuredPod('web', '250m', { nodeName: 'a' });
const heldTo: Pod = { ...limited, spec: { ...limited.spec, containers: [{ name: 'main', resources: { limits: { cpu: '1' } } }] } };
const limits = { pods: [heldTo, measuredPod('log', '50m', { nodeName: 'a', isDaemon: true })] };
const onlyApi = { cpu: 1, memory: 2 ** 30, pods: 1 };

test.each<[string, Row]>([
  [
    'cpu in cores, memory in bytes, and nothing of what it has none of',
    { view: {}, shows: 'allocatable', as: { cpu: 1.9, memory: 7e9, ephemeral_storage: 5e10, pods: 110 } },
  ],
  ['an empty node has no requests', { view: {}, shows: 'total_pod_requests', as: {} }],
  [
    'what all its pods request, those of DaemonSets among them',
    { view: webAndLog, shows: 'total_pod_requests', as: { cpu: 0.3, memory: 2 * 2 ** 30, pods: 2 } },
  ],
  ['what its daemon pods ask', { view: webAndLog, shows: 'total_daemon_requests', as: { cpu: 0.05, memory: 2 ** 30, pods: 1 } }],
  [
    'how many pods it has, and what they are held to, where they name a limit',
    { view: limits, shows: 'total_pod_limits', as: { cpu: 1, pods: 2 } },
  ],
  ['how many daemon pods, which name no limit', { view: limits, shows: 'total_daemon_limits', as: { pods: 1 } }],
  [
    'what the machine has and the node keeps back',
    { view: { capacity: { cpu: 2000, memory: 8e9, pods: 110 } }, shows: 'system_overhead', as: { cpu: 0.1, memory: 1e9 } },
  ],
  [
    'a pod that is only expected asks nothing yet',
    {
      view: { pods: [measuredPod('web', '250m', {}), measuredPod('api', '1', { nodeName: 'a' })] },
      shows: 'total_pod_requests',
      as: onlyApi,
    },
  ],
  [
    'a pod that cannot be read costs no other its series',
    {
      view: { pods: [measuredPod('odd', 'lots', { nodeName: 'a' }), measuredPod('api', '1', { nodeName: 'a' })] },
      shows: 'total_pod_requests',
      as: onlyApi,
    },
  ],
])('%s', (_title, { view, shows, as }) => {
  expect(nodeGaugesOf({ nodes: [nodeA], views: [viewWith(view)] }).shown(shows)).toEqual(as);
});

test('a series says which node it is of, and what is well known of that', () => {
  const [first] = nodeGaugesOf({ nodes: [nodeA], views: [viewWith({})] }).read('karpenter_nodes_allocatable');
  expect(first?.labels).toMatchObject({ resource_type: 'cpu', node_name: 'a', managed: 'true', nodepool: 'general', zone: 'z1' });
});

test('a machine that has no node yet is not shown, and one whose node is gone is shown no longer', () => {
  const cluster = { nodes: [nodeA], views: [viewWith({}), viewWith({ name: 'general-2', hasNode: false })] };
  const { read } = nodeGaugesOf(cluster);
  expect(new Set(read('karpenter_nodes_allocatable').map(({ labels }) => labels['node_name']))).toEqual(new Set(['a']));
  cluster.nodes = [];
  expect(read('karpenter_nodes_allocatable')).toEqual([]);
});

test('cluster utilization is the requested share of what the nodes have together', () => {
  const views = [viewWith(webAndLog), viewWith({ name: 'b' }), viewWith({ name: 'general-2', hasNode: false })];
  const { read } = nodeGaugesOf({ nodes: [nodeA], views });
  const shares = read('karpenter_cluster_utilization_percent').map(({ labels, value }) => [labels['resource_type'], value]);
  expect(Object.fromEntries(shares)).toMatchObject({ cpu: expect.closeTo((100 * 0.3) / 3.8), ephemeral_storage: 0 });
  expect(nodeGaugesOf({ nodes: [], views }).read('karpenter_cluster_utilization_percent')).toEqual([]);
});
