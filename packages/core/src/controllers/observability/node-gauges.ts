import { defaultLabelCatalog } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Node } from '../../kube/index.ts';
import type { Metrics, Reading } from '../../ports/index.ts';
import { nodeResources } from './node-resources.ts';
import type { NodeResources } from './node-resources.ts';
import { nodeSeries } from './node-series.ts';
import { resourceReadings } from './resource-readings.ts';

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
];

/**
 * Shows of each node what it has and what its pods ask for, by resource: some ten series a node.
 * Differs: labelled only with what is well known of nodes in every cloud. A provider's own labels, which would more than double the size of
 * a scrape, are on the node's age and joined by `node_name`.
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
};
