import type { CacheChange } from '@karpenter/runtime';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf, isTerminal } from '../../../kube/index.ts';
import type { Pod } from '../../../kube/index.ts';

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
