import type { Node, Resources } from '../../../kube/index.ts';
import type { MetricLabels, Reading } from '../../../ports/index.ts';
import { labels } from '../../../apis/index.ts';
import type { LabelCatalog } from '../../../apis/index.ts';

/** `ephemeral-storage` → `ephemeral_storage`, as the original writes it. */
export const resourceTypeLabel = (resource: string): string => resource.toLowerCase().replaceAll('-', '_');

/** A series for each resource, labelled `resource_type`: cpu in cores, memory in bytes, else counts. */
export const resourceReadings = (resources: Resources, labels: MetricLabels): readonly Reading[] =>
  Object.entries(resources).map(([resource, amount]) => ({
    labels: { resource_type: resourceTypeLabel(resource), ...labels },
    value: resource === 'cpu' ? amount / 1000 : amount,
  }));

/** `topology.kubernetes.io/zone` → `zone`. Source: the original's `pkg/controllers/metrics/node/controller.go`. */
const metricLabelOf = (key: string): string =>
  key
    .slice(key.indexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');

/** How the metrics of single nodes are labelled: who the node is, and what is well known of it. */
export interface NodeSeries {
  readonly labelNames: readonly string[];
  readonly labelsOf: (node: Node) => MetricLabels;
}

/** The series of nodes, with a label for each well-known one of the catalog; empty where a node lacks it. */
export const nodeSeries = ({ wellKnown }: LabelCatalog): NodeSeries => {
  const named = new Map([...wellKnown].map((key) => [metricLabelOf(key), key]));
  return {
    labelNames: ['node_name', 'phase', 'managed', ...named.keys()],
    labelsOf: ({ metadata, status }) => ({
      node_name: metadata.name,
      phase: status?.phase ?? '',
      managed: String(metadata.labels?.[labels.nodePool] !== undefined),
      ...Object.fromEntries([...named].map(([name, key]) => [name, metadata.labels?.[key] ?? ''])),
    }),
  };
};
