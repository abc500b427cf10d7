import { labels } from '../../apis/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import { epochMsOf } from '../../base/index.ts';
import type { Node } from '../../kube/index.ts';
import type { Metrics, Reading } from '../../ports/index.ts';

/** Which nodes there are, and what their metrics are labelled with. */
export interface NodeSource {
  readonly nodes: () => readonly Node[];
  readonly labelCatalog: LabelCatalog;
  readonly nowMs: () => number;
}

/** `topology.kubernetes.io/zone` → `zone`. Source: the original's `pkg/controllers/metrics/node/controller.go`. */
const metricLabelOf = (key: string): string =>
  key
    .slice(key.indexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');

/** Shows how long each node has been there. */
export const nodeLifetimes = (metrics: Metrics, { nodes, labelCatalog, nowMs }: NodeSource): void => {
  const named = new Map([...labelCatalog.wellKnown].map((key) => [metricLabelOf(key), key]));
  function* read(): Iterable<Reading> {
    for (const { metadata, status } of nodes()) {
      const createdMs = epochMsOf(metadata.creationTimestamp);
      if (createdMs === undefined) continue;
      const own = Object.fromEntries([...named].map(([name, key]) => [name, metadata.labels?.[key] ?? '']));
      const managed = String(metadata.labels?.[labels.nodePool] !== undefined);
      const value = Math.max(0, nowMs() - createdMs) / 1000;
      yield { labels: { node_name: metadata.name, phase: status?.phase ?? '', managed, ...own }, value };
    }
  }
  metrics.gauge(
    {
      name: 'karpenter_nodes_current_lifetime_seconds',
      help: 'Node age in seconds.',
      labelNames: ['node_name', 'phase', 'managed', ...named.keys()],
    },
    read,
  );
};
