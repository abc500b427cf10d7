import { epochMsOf } from '../../../base/index.ts';
import type { Node } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import type { NodeSeries } from '../gauges/node-series.ts';

/** Which nodes there are, and what their metrics are labelled with. */
export interface NodeSource {
  readonly nodes: () => readonly Node[];
  readonly series: NodeSeries;
  readonly nowMs: () => number;
}

/** Shows how long each node has been there. */
export const nodeLifetimes = (metrics: Metrics, { nodes, series, nowMs }: NodeSource): void => {
  function* read(): Iterable<Reading> {
    for (const node of nodes()) {
      const createdMs = epochMsOf(node.metadata.creationTimestamp);
      if (createdMs !== undefined) yield { labels: series.labelsOf(node), value: Math.max(0, nowMs() - createdMs) / 1000 };
    }
  }
  metrics.gauge({ name: 'karpenter_nodes_current_lifetime_seconds', help: 'Node age in seconds.', labelNames: series.labelNames }, read);
};
