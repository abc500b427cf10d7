import { defaultLabelCatalog } from '../../../apis/index.ts';
import type { NodeView } from '../../../cluster/index.ts';
import { sumResources } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import { nodeResources } from './node-resources.ts';
import type { NodeResources } from './node-resources.ts';
import { nodeSeries } from './node-series.ts';
import { resourceReadings, resourceTypeLabel } from './resource-readings.ts';

/** The nodes as they are now, and their machines as decisions see them. */
export interface MachineSource {
  readonly nodes: () => readonly Node[];
  readonly views: () => readonly NodeView[];
}

const gauges: readonly (readonly [keyof NodeResources, string, string])[] = [
  ['allocatable', 'karpenter_nodes_allocatable', 'Node allocatable are the resources allocatable by nodes.'],
  [
    'podRequests',
    'karpenter_nodes_total_pod_requests',
    'Node total pod requests are the resources requested by pods bound to nodes, including the DaemonSet pods.',
  ],
  [
    'daemonRequests',
    'karpenter_nodes_total_daemon_requests',
    'Node total daemon requests are the resource requested by DaemonSet pods bound to nodes.',
  ],
  [
    'podLimits',
    'karpenter_nodes_total_pod_limits',
    'Node total pod limits are the resources specified by pod limits, including the DaemonSet pods.',
  ],
  ['daemonLimits', 'karpenter_nodes_total_daemon_limits', 'Node total daemon limits are the resources specified by DaemonSet pod limits.'],
  [
    'systemOverhead',
    'karpenter_nodes_system_overhead',
    'Node system daemon overhead are the resources reserved for system overhead, the difference between the node’s capacity and allocatable values.',
  ],
];

/** In percent, by resource, of what the nodes have together. */
function* utilization(views: readonly NodeView[]): Iterable<Reading> {
  const seen = views.filter(({ hasNode }) => hasNode).map(nodeResources);
  const asked = sumResources(seen.map(({ podRequests }) => podRequests));
  for (const [name, has] of Object.entries(sumResources(seen.map(({ allocatable }) => allocatable))))
    yield { labels: { resource_type: resourceTypeLabel(name) }, value: (100 * (asked[name] ?? 0)) / has };
}

/**
 * Shows the resources of each node and the requests of its pods, some twenty series a node; and the requested share of
 * the cluster's resources. Differs: labelled only with what is well known of nodes in every cloud. A provider's own
 * labels, which would more than double the size of a scrape, are on the node's age and joined by `node_name`.
 */
export const nodeGauges = (metrics: Metrics, { nodes, views }: MachineSource): void => {
  const series = nodeSeries(defaultLabelCatalog);
  function* read(part: keyof NodeResources): Iterable<Reading> {
    const viewOf = new Map(views().map((view) => [view.name, view]));
    for (const node of nodes()) {
      const view = viewOf.get(node.metadata.name);
      if (view?.hasNode === true) yield* resourceReadings(nodeResources(view)[part], series.labelsOf(node));
    }
  }
  for (const [part, name, help] of gauges) {
    metrics.gauge({ name, help, labelNames: ['resource_type', ...series.labelNames] }, () => read(part));
  }
  metrics.gauge(
    {
      name: 'karpenter_cluster_utilization_percent',
      help: 'Utilization of allocatable resources by pod requests.',
      labelNames: ['resource_type'],
    },
    () => (nodes().length === 0 ? [] : utilization(views())),
  );
};
