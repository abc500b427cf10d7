import { labels } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import type { Node } from '../../../kube/index.ts';
import type { Metrics } from '../../../ports/index.ts';

/** The nodes as they are now, and the time. */
export interface TerminationSource {
  readonly nodes: () => readonly Node[];
  readonly nowMs: () => number;
}

/** NodePool → for how long its oldest terminating node has been terminating, in seconds. */
const oldestByPool = ({ nodes, nowMs }: TerminationSource): ReadonlyMap<string, number> => {
  const oldest = new Map<string, number>();
  for (const { metadata } of nodes()) {
    const sinceMs = epochMsOf(metadata.deletionTimestamp);
    const nodePool = metadata.labels?.[labels.nodePool];
    if (sinceMs === undefined || nodePool === undefined) continue;
    oldest.set(nodePool, Math.max(oldest.get(nodePool) ?? 0, (nowMs() - sinceMs) / 1000));
  }
  return oldest;
};

/**
 * Shows of each pool with terminating nodes how long the oldest has been at it: a drain that hangs is in no histogram
 * until it ends.
 */
export const terminationGauge = (metrics: Metrics, source: TerminationSource): void => {
  metrics.gauge(
    {
      name: 'karpenter_nodes_oldest_termination_seconds',
      help: 'For how long the node of a NodePool that was deleted first has been terminating. No series where none is.',
      labelNames: ['nodepool'],
    },
    () => [...oldestByPool(source)].map(([nodepool, value]) => ({ labels: { nodepool }, value })),
  );
};
