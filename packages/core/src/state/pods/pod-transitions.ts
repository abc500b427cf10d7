import { epochMsOf } from '../../base/index.ts';
import { isSucceededMember } from '../../cluster/index.ts';
import {
  conditionOf,
  isActive,
  isDaemonPod,
  isPreempting,
  isProvisionable,
  isQueued,
  isTerminal,
  isUnschedulable,
  namespacedNameOf,
} from '../../kube/index.ts';
import type { Condition, Pod } from '../../kube/index.ts';
import type { Clock } from '../../ports/index.ts';

/** What pod transitions need of the rest of state. */
export interface PodTransitionsParts {
  readonly clock: Clock;
  /** Whether all pods of the first list were read. */
  readonly hasSynced: () => boolean;
  /** Whether the node stands. */
  readonly hasNode: (name: string) => boolean;
  /** A listener threw at a transition of the pod. */
  readonly onBug: (pod: Pod, error: unknown) => void;
}

/** What happened to a pod that Karpenter cares about. */
export type PodTransition =
  /** `hadPlace`: its nomination ended. */
  | { readonly kind: 'waiting'; readonly pod: Pod; readonly hadPlace: boolean }
  | { readonly kind: 'bound'; readonly pod: Pod; readonly nodeName: string; readonly tookMs: number }
  | { readonly kind: 'left'; readonly pod: Pod; readonly nodeName: string };

const nodeOf = (pod: Pod | undefined): string | undefined => pod?.spec.nodeName;
const runs = (pod: Pod | undefined): pod is Pod => pod !== undefined && nodeOf(pod) !== undefined && isActive(pod);
const waits = (pod: Pod | undefined): pod is Pod => pod !== undefined && isProvisionable(pod);

const scheduledCondition = (pod: Pod): Condition | undefined => conditionOf(pod.status?.conditions, 'PodScheduled');

/** When the API server bound the pod, in whole seconds as the pod's creation; undefined where it does not say so. */
const boundSinceMs = (pod: Pod): number | undefined => {
  const scheduled = scheduledCondition(pod);
  return scheduled?.status === 'True' ? epochMsOf(scheduled.lastTransitionTime) : undefined;
};

/** When the deletion of a pod was requested, in whole seconds; undefined where it is not terminating. */
const deletedSinceMs = ({ metadata: { deletionTimestamp, deletionGracePeriodSeconds = 0 } }: Pod): number | undefined => {
  const endMs = epochMsOf(deletionTimestamp);
  return endMs === undefined ? undefined : endMs - deletionGracePeriodSeconds * 1000;
};

/** When a pod ran to its end: kubelets then write that it is not ready. Undefined where nobody has. */
const endedSinceMs = (pod: Pod): number | undefined =>
  isTerminal(pod) ? epochMsOf(conditionOf(pod.status?.conditions, 'Ready')?.lastTransitionTime) : undefined;

/** When the pod last came to its node or left it, as the API server says it; undefined where it does not say so. */
const lastChangeMs = (pod: Pod): number | undefined => endedSinceMs(pod) ?? deletedSinceMs(pod) ?? boundSinceMs(pod);

/**
 * Whether kube-scheduler has tried the pod once more and found no node again. Its message differs each time that nodes
 * came or changed; a try with the same message cannot be seen.
 */
export const isUnschedulableAgain = (pod: Pod, previous: Pod): boolean =>
  isUnschedulable(pod) && isUnschedulable(previous) && scheduledCondition(pod)?.message !== scheduledCondition(previous)?.message;

/**
 * Turns cache changes of pods into transitions, and remembers when each node last gained or lost a pod that belongs to
 * no DaemonSet. Of the first list it remembers what the pods say themselves: what happened before this process, or
 * between two, counts too. A pod that went in that time altogether is not known.
 */
export class PodTransitions {
  readonly #parts: PodTransitionsParts;
  readonly #lastByNode = new Map<string, number>();
  readonly #listeners = new Set<(transition: PodTransition) => void>();

  constructor(parts: PodTransitionsParts) {
    this.#parts = parts;
  }

  /** Of how many nodes something is remembered. */
  get size(): number {
    return this.#lastByNode.size;
  }

  lastOn(nodeName: string): number | undefined {
    return this.#lastByNode.get(nodeName);
  }

  /** The node is gone. */
  forget(nodeName: string): void {
    this.#lastByNode.delete(nodeName);
  }

  subscribe(listener: (transition: PodTransition) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `pod` undefined: it was deleted. Pods of the first list count as known, except that they may wait. */
  see(pod: Pod | undefined, previous: Pod | undefined): void {
    if (waits(pod) && !waits(previous)) this.#tell({ kind: 'waiting', pod, hadPlace: false });
    if (!this.#parts.hasSynced()) {
      if (pod !== undefined) this.#rememberFirst(pod);
      return;
    }
    if (runs(pod) && !runs(previous)) this.#bound(pod);
    if (runs(previous) && !runs(pod)) this.#left(previous);
  }

  /** The pod's nomination came to nothing. */
  seeNominationEnd(pod: Pod): void {
    if (waits(pod)) this.#tell({ kind: 'waiting', pod, hadPlace: true });
  }

  #bound(pod: Pod): void {
    const nodeName = nodeOf(pod) ?? '';
    this.#remember(pod, this.#parts.clock.now());
    const boundMs = boundSinceMs(pod) ?? this.#parts.clock.now();
    const createdMs = epochMsOf(pod.metadata.creationTimestamp) ?? boundMs;
    this.#tell({ kind: 'bound', pod, nodeName, tookMs: Math.max(0, boundMs - createdMs) });
  }

  #left(pod: Pod): void {
    const nodeName = nodeOf(pod) ?? '';
    // Pods are often deleted after their node: what is remembered of it would then never be forgotten.
    if (this.#parts.hasNode(nodeName)) this.#remember(pod, this.#parts.clock.now());
    else this.forget(nodeName);
    this.#tell({ kind: 'left', pod, nodeName });
  }

  #rememberFirst(pod: Pod): void {
    const changedMs = lastChangeMs(pod);
    if (changedMs !== undefined) this.#remember(pod, changedMs);
  }

  #remember(pod: Pod, changedMs: number): void {
    const nodeName = nodeOf(pod);
    if (nodeName === undefined || isDaemonPod(pod)) return;
    this.#lastByNode.set(nodeName, Math.max(changedMs, this.#lastByNode.get(nodeName) ?? 0));
  }

  /** A listener that throws costs the others nothing. */
  #tell(transition: PodTransition): void {
    for (const listener of this.#listeners) {
      try {
        listener(transition);
      } catch (error) {
        this.#parts.onBug(transition.pod, error);
      }
    }
  }
}

/** A pod's identity: its uid, or its name where it has none (in tests). */
export const podId = ({ metadata }: Pod): string => metadata.uid ?? namespacedNameOf(metadata);

const NONE: ReadonlyMap<string, Pod> = new Map();

/**
 * How long a pod waits for those that kube-scheduler ends for it. Whoever writes these may let them take as long as they
 * like: after that the pod waits for a node as any other.
 */
const PREEMPTION_MS = 60_000;

/** A pod, the node where it is to get the room of others, and since when that was seen. */
interface Preemption {
  readonly pod: Pod;
  readonly nodeName: string | undefined;
  readonly sinceMs: number;
}

/** Pods by where they are: in kube-scheduler's queue, waiting for a node, or running on one. */
export class PodIndex {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #preempting = new Map<string, Preemption>();
  readonly #byId = new Map<string, Pod>();
  readonly #queued = new Set<string>();
  readonly #waiting = new Map<string, Pod>();
  readonly #succeededMembers = new Map<string, Pod>();
  readonly #byNode = new Map<string, Map<string, Pod>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  set(pod: Pod): void {
    const id = podId(pod);
    const before = this.#preempting.get(id);
    this.#detach(id);
    this.#byId.set(id, pod);
    if (isQueued(pod)) this.#queued.add(id);
    if (isProvisionable(pod)) this.#waiting.set(id, pod);
    if (isPreempting(pod)) this.#preempting.set(id, this.#preemptionOf(pod, before));
    if (isSucceededMember(pod)) this.#succeededMembers.set(id, pod);
    const { nodeName } = pod.spec;
    if (nodeName === undefined || isTerminal(pod)) return;
    const onNode = this.#byNode.get(nodeName) ?? new Map<string, Pod>();
    this.#byNode.set(nodeName, onNode.set(id, pod));
  }

  delete(pod: Pod): void {
    this.#detach(podId(pod));
    this.#byId.delete(podId(pod));
  }

  get(id: string): Pod | undefined {
    return this.#byId.get(id);
  }

  /** How many kube-scheduler has not tried yet. */
  get queued(): number {
    return this.#queued.size;
  }

  /** Those that a new node might help, with their ids. */
  *waiting(): Iterable<readonly [string, Pod]> {
    yield* this.#waiting;
    const longAgoMs = this.#clock.now() - PREEMPTION_MS;
    for (const [id, { pod, sinceMs }] of this.#preempting) if (sinceMs <= longAgoMs) yield [id, pod];
  }

  #preemptionOf(pod: Pod, before: Preemption | undefined): Preemption {
    const nodeName = pod.status?.nominatedNodeName;
    return { pod, nodeName, sinceMs: before?.nodeName === nodeName && before !== undefined ? before.sinceMs : this.#clock.now() };
  }

  /** Pods of pod groups that have run to their end, by id. */
  get succeededMembers(): ReadonlyMap<string, Pod> {
    return this.#succeededMembers;
  }

  /** Those bound to the node that have not run to their end. */
  onNode(nodeName: string): readonly Pod[] {
    return [...(this.#byNode.get(nodeName) ?? NONE).values()];
  }

  #detach(id: string): void {
    const nodeName = this.#byId.get(id)?.spec.nodeName;
    this.#queued.delete(id);
    this.#waiting.delete(id);
    this.#preempting.delete(id);
    this.#succeededMembers.delete(id);
    if (nodeName === undefined) return;
    const onNode = this.#byNode.get(nodeName);
    onNode?.delete(id);
    if (onNode?.size === 0) this.#byNode.delete(nodeName);
  }
}
