import { epochMsOf } from '../../../base/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import type { NodeSeries } from '../gauges/series.ts';
import type { CacheChange } from '@karpenter/runtime';
import { conditionOf, isTerminal } from '../../../kube/index.ts';

/** Which nodes there are, and what their metrics are labelled with. */
interface NodeSource {
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

/** When the pod has been ready since; undefined while it is not. */
const readySinceMs = ({ status }: Pod): number | undefined => {
  const ready = conditionOf(status?.conditions, 'Ready');
  return ready?.status === 'True' ? epochMsOf(ready.lastTransitionTime) : undefined;
};

/**
 * Measures how long pods took to start. Counts pods that were seen pending, each once: a pod that is ready again is no
 * start.
 */
export class PodStarts {
  readonly #starting = new Set<string>();

  /** How long it took from the pod's creation until it was ready; undefined when the change is not that it has become so. */
  see({ type, key, object: pod }: CacheChange<Pod>): number | undefined {
    const id = `${key.namespace ?? 'default'}/${key.name}`;
    if (type === 'deleted' || isTerminal(pod)) this.#starting.delete(id);
    else if (pod.status?.phase === 'Pending') this.#starting.add(id);
    else return this.#started(id, pod);
    return undefined;
  }

  #started(id: string, pod: Pod): number | undefined {
    const readyMs = readySinceMs(pod);
    if (readyMs === undefined || !this.#starting.delete(id)) return undefined;
    return Math.max(0, readyMs - (epochMsOf(pod.metadata.creationTimestamp) ?? readyMs));
  }
}
