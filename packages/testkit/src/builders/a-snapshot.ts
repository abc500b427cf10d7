import type { ClusterSnapshot, InstanceType, NodePool, Pod, Resources } from '@karpenter/core';
import type { DaemonSet, DeviceView, NodePoolView, NodeView, PodDisruptionBudget, StorageView } from '@karpenter/core/internal';
import { aNodePool } from './a-node-pool.ts';
import { anInstanceType } from './an-instance-type.ts';

/** What a test says about a snapshot. */
export interface SnapshotOptions {
  readonly pending?: readonly Pod[];
  readonly nodes?: readonly NodeView[];
  /** Default: one pool `default` that allows everything. Each gets `instanceTypes`. */
  readonly nodePools?: readonly NodePool[];
  /** Default: 2, 4, 8 and 16 cpus, in three zones, spot and on-demand. */
  readonly instanceTypes?: readonly InstanceType[];
  /** Pools with instance types or usage of their own, beside `nodePools`. */
  readonly nodePoolViews?: readonly NodePoolView[];
  /** What the nodes of all pools may have together. */
  readonly clusterLimits?: Resources;
  readonly daemonSets?: readonly DaemonSet[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
  /** Namespace → its labels. */
  readonly namespaceLabels?: ClusterSnapshot['namespaceLabels'];
  readonly storage?: StorageView;
  readonly devices?: DeviceView;
  readonly podSelectors?: NonNullable<ClusterSnapshot['podSelectors']>;
}

const defaultInstanceTypes: readonly InstanceType[] = [2, 4, 8, 16].map((cpus) => anInstanceType({ cpus }));

/** Capacity of the nodes of one pool that stay, and their count: what a pool's limits are compared with. */
export const usageOf = (nodePoolName: string, nodes: readonly NodeView[]): Resources => {
  const usage: Record<string, number> = { nodes: 0 };
  for (const node of nodes) {
    if (node.nodePoolName !== nodePoolName || node.isMarkedForDeletion) continue;
    usage['nodes'] = (usage['nodes'] ?? 0) + 1;
    for (const [name, amount] of Object.entries(node.capacity)) usage[name] = (usage[name] ?? 0) + amount;
  }
  return usage;
};

const viewsOf = ({
  nodes = [],
  instanceTypes = defaultInstanceTypes,
  nodePoolViews,
  nodePools,
}: SnapshotOptions): readonly NodePoolView[] => {
  const pools = nodePools ?? (nodePoolViews === undefined ? [aNodePool()] : []);
  const views = pools.map((nodePool) => ({ nodePool, instanceTypes, usage: usageOf(nodePool.metadata.name, nodes) }));
  return [...views, ...(nodePoolViews ?? [])];
};

/** The limits, and what the nodes of all pools that stay have together. */
const clusterLimitsOf = ({ clusterLimits: limits, nodes = [] }: SnapshotOptions): Pick<ClusterSnapshot, 'clusterLimits'> => {
  if (limits === undefined) return {};
  const managed = nodes.filter(({ nodePoolName }) => nodePoolName !== undefined);
  const usage = usageOf(
    'all',
    managed.map((node) => ({ ...node, nodePoolName: 'all' })),
  );
  return { clusterLimits: { limits, usage } };
};

export const aSnapshot = (options: SnapshotOptions = {}): ClusterSnapshot => ({
  nodePools: viewsOf(options),
  nodes: options.nodes ?? [],
  pendingPods: options.pending ?? [],
  daemonSets: options.daemonSets ?? [],
  podDisruptionBudgets: options.podDisruptionBudgets ?? [],
  namespaceLabels: options.namespaceLabels ?? new Map(),
  ...(options.storage === undefined ? {} : { storage: options.storage }),
  ...clusterLimitsOf(options),
  ...(options.devices && { devices: options.devices }),
  ...(options.podSelectors && { podSelectors: options.podSelectors }),
});
