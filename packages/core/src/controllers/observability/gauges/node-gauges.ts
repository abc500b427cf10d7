import { memoByObject } from '../../../base/index.ts';
import type { NodeView } from '../../../cluster/index.ts';
import { isDaemonPod, podLimits, podRequests, podSpecProblem, sumResources } from '../../../kube/index.ts';
import type { Node, Pod, Resources } from '../../../kube/index.ts';
import { defaultLabelCatalog } from '../../../apis/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import { nodeSeries, resourceReadings, resourceTypeLabel } from './object-gauges.ts';

/** What a node has, and what the pods that are bound to it have asked for. */
interface NodeResources {
  readonly allocatable: Resources;
  /** Of all pods, daemon pods included. */
  readonly podRequests: Resources;
  readonly daemonRequests: Resources;
  /** What all pods are held to, as far as they name limits, and their number; daemon pods included. */
  readonly podLimits: Resources;
  readonly daemonLimits: Resources;
  /** What the machine has and its node keeps back. */
  readonly systemOverhead: Resources;
}

const withoutZeros = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount !== 0));

const keptBack = ({ capacity, allocatable }: NodeView): Resources =>
  Object.fromEntries(Object.entries(capacity).map(([name, amount]) => [name, Math.max(0, amount - (allocatable[name] ?? 0))]));

/** The limits of pods, and how many pods there are. */
const limitsOf = (pods: readonly Pod[]): Resources => withoutZeros({ ...sumResources(pods.map(podLimits)), pods: pods.length });

const summed = (view: NodeView): NodeResources => {
  const { name, allocatable, pods } = view;
  const bound = pods.filter(({ spec }) => spec.nodeName === name && podSpecProblem(spec) === undefined);
  const daemons = bound.filter(isDaemonPod);
  return {
    allocatable: withoutZeros(allocatable),
    podRequests: withoutZeros(sumResources(bound.map(podRequests))),
    daemonRequests: withoutZeros(sumResources(daemons.map(podRequests))),
    podLimits: limitsOf(bound),
    daemonLimits: limitsOf(daemons),
    systemOverhead: withoutZeros(keptBack(view)),
  };
};

/**
 * What a node has and what is taken of it; a view stays the same object until something about its node changes, so it
 * is added up once. Pods that are only expected count nothing yet, nor do pods that cannot be read. Differs: resources
 * that the node has none of (huge pages, mostly) are left out, where the original shows zeros.
 */
const nodeResources = memoByObject(summed);

/** The nodes as they are now, and their machines as decisions see them. */
interface MachineSource {
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
