import type { CacheChange } from '@karpenter/runtime';
import { epochMsOf, getOrMake } from '../../../base/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import type { Plan, Rejection } from '../../../scheduling/index.ts';
import { podId } from '../../../state/index.ts';
import type { NodeSeries } from '../gauges/object-gauges.ts';
import { conditionOf, isTerminal, namespacedNameOf } from '../../../kube/index.ts';

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
    const id = namespacedNameOf(key);
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

/** Of one pod, epoch ms. */
interface Times {
  /** Undefined where a plan had the pod before anybody saw it wait. */
  readonly seenMs?: number | undefined;
  readonly decidedMs?: number;
  /** Undefined while the last plan has no place for it. */
  readonly placedMs?: number | undefined;
}

const placedPods = function* ({ placements, plannedNodes }: Plan): Iterable<Pod> {
  for (const pods of placements.values()) yield* pods;
  for (const { pods } of plannedNodes) yield* pods;
};

/** The plan did not come to the pod. */
const UNDECIDED: ReadonlySet<Rejection['reason']['kind']> = new Set(['stopped', 'postponed']);

const isBound = ({ spec }: Pod): boolean => spec.nodeName !== undefined;

/**
 * For each waiting pod: when it was first seen, when a plan first decided on it, and when one first had a place for
 * it. In memory only, as in the original: after a restart they begin again. One entry a pod until `forget`.
 */
export class PodSchedulingTimes {
  readonly #byPod = new Map<string, Times>();

  /** Of how many pods something is remembered. */
  get size(): number {
    return this.#byPod.size;
  }

  /** The pod waits for a node. Only the first time counts. */
  see(pod: Pod, nowMs: number): void {
    getOrMake(this.#byPod, podId(pod), () => ({ seenMs: nowMs }));
  }

  /** Takes in a plan. Returns for each pod that no plan had decided on how long it had waited, ms. O(pods of the plan). */
  decide(plan: Plan, atMs: number): readonly number[] {
    const waited: number[] = [];
    const note = (pod: Pod, placedMs: number | undefined): void => {
      const id = podId(pod);
      const { seenMs, decidedMs } = this.#byPod.get(id) ?? {};
      if (seenMs !== undefined && decidedMs === undefined) waited.push(Math.max(0, atMs - seenMs));
      this.#byPod.set(id, { seenMs, decidedMs: decidedMs ?? atMs, placedMs });
    };
    // Pods of nodes that go are in the plan as well: they wait for nothing.
    for (const pod of placedPods(plan)) if (!isBound(pod)) note(pod, this.placedMs(pod) ?? atMs);
    for (const { pod, reason } of plan.rejections) if (!UNDECIDED.has(reason.kind) && !isBound(pod)) note(pod, undefined);
    return waited;
  }

  /** Since when plans have a place for the pod. */
  placedMs(pod: Pod): number | undefined {
    return this.#byPod.get(podId(pod))?.placedMs;
  }

  /** Since when the pod waits for a decision; undefined once there is one. */
  undecidedMs(pod: Pod): number | undefined {
    const { seenMs, decidedMs } = this.#byPod.get(podId(pod)) ?? {};
    return decidedMs === undefined ? seenMs : undefined;
  }

  /** Of something that took so long from the pod's creation: how long it took since a plan had a place for the pod. */
  sincePlaced(pod: Pod, tookMs: number): number | undefined {
    const placedMs = this.placedMs(pod);
    const createdMs = epochMsOf(pod.metadata.creationTimestamp);
    return placedMs === undefined || createdMs === undefined ? undefined : Math.max(0, createdMs + tookMs - placedMs);
  }

  /** The pod is ready, has ended or is deleted. */
  forget(pod: Pod): void {
    this.#byPod.delete(podId(pod));
  }
}
