import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import type { Clock, TimerHandle } from '@karpenter/runtime';
import type { LocalApi, LocalEvent } from '@karpenter/api-server';
import { ApiError } from '@karpenter/api-server';
import { parseKey } from '@karpenter/runtime';
import type { EventWriter } from '../control/event-writer.ts';
import { createEventWriter } from '../control/event-writer.ts';
import type { NodeObject } from '../objects/node.ts';
import { nodes } from '../objects/node.ts';
import { countsAsReplica, podKind, type PodObject } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';
import type { NodeChooser } from './choose-node.ts';
import { createNodeChooser } from './choose-node.ts';
import { DeviceAllocator, mayNeedDevices } from './devices/device-allocator.ts';
import { nominateClaims, followVolumes } from './volumes/volume-views.ts';
import type { ClusterPicture } from './cluster-picture.ts';
import { createClusterPicture } from './cluster-picture.ts';
import { binderDefaultSpread } from './pods/default-spread.ts';
import type { Nomination, BinderNominations } from './pending/nominations.ts';
import { createNominations } from './pending/nominations.ts';
import { createPendingReporter, type PendingReporter, unschedulableMessage } from './pending/pending-reporter.ts';
import { type BinderPodClass, podPriorityOf } from './pods/pod-class.ts';
import type { QueuedPod, SchedulingQueue } from './pending/scheduling-queue.ts';
import { createSchedulingQueue } from './pending/scheduling-queue.ts';

const PODS_PER_SLICE = 50;
const RETRY_MS = 1_000;
const RETELL_MS = 10_000;
/** How often the binder checks whether the devices of a pod are ready. */
const BINDING_POLL_MS = 5_000;
const SCHEDULER = 'default-scheduler';
const GATED = { reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates' } as const;

const isOurs = ({ spec }: PodObject): boolean => (spec.schedulerName ?? SCHEDULER) === SCHEDULER;
const isGated = ({ spec }: PodObject): boolean => (spec.schedulingGates ?? []).length > 0;
const dependsOnPods = ({ podClass }: QueuedPod): boolean =>
  podClass.spread.length + podClass.affinity.length + podClass.antiAffinity.length > 0;

/** The pod binder: gives pending pods a node, or says why they have none. */
class Binder implements Disposable {
  readonly #api: LocalApi;
  readonly #clock: Clock;
  readonly #picture: ClusterPicture;
  readonly #choose: NodeChooser;
  readonly #devices: DeviceAllocator;
  readonly #withDefaults: (pod: PodObject) => PodObject;
  readonly #record: EventWriter;
  readonly #reporter: PendingReporter;
  readonly #queue: SchedulingQueue = createSchedulingQueue();
  readonly #nominations: BinderNominations = createNominations();
  readonly #watches: readonly Disposable[];
  /** Why the last pod of a class was refused, with the state of the cluster and the priority. */
  readonly #refused = new WeakMap<BinderPodClass, { readonly version: number; readonly priority: number; readonly message: string }>();
  /** Pods that wait for the conditions of their devices → their nodes. */
  readonly #waiting = new Map<string, string>();
  /** Grows with every change of volumes or devices. */
  #claimsVersion = 0;
  #arrivals = 0;
  #turn: TimerHandle | undefined;
  #retry: TimerHandle | undefined;
  #isStopped = false;

  constructor(api: LocalApi, clock: Clock, constraints: readonly TopologySpreadConstraint[]) {
    this.#api = api;
    this.#clock = clock;
    this.#picture = createClusterPicture((name) => api.get('Namespace', { name })?.metadata.labels ?? {});
    const volumes = followVolumes(api, () => this.#volumesChanged());
    this.#devices = new DeviceAllocator(api, clock, () => this.#devicesChanged());
    this.#choose = createNodeChooser(this.#picture, volumes, this.#devices);
    this.#withDefaults = binderDefaultSpread(api, constraints);
    this.#record = createEventWriter(api, clock, SCHEDULER);
    this.#reporter = createPendingReporter(api, clock, this.#record);
    this.#watches = [
      api.watch(nodes, (event) => this.#nodeChanged(event)),
      api.watch(podKind, (event) => this.#podChanged(event)),
      volumes,
      this.#devices,
    ];
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    for (const watch of this.#watches) watch[Symbol.dispose]();
    this.#turn?.cancel();
    this.#retry?.cancel();
  }

  #nodeChanged({ type, object }: LocalEvent<NodeObject>): void {
    if (type === 'DELETED') this.#picture.removeNode(object.metadata.name ?? '');
    else if (this.#picture.setNode(object)) this.#wake(() => true);
  }

  #podChanged({ type, object }: LocalEvent<PodObject>): void {
    const key = objectKeyText(object);
    if (type === 'DELETED') {
      this.#nominate(key, undefined);
      this.#forget(key);
      if (this.#picture.removePod(key)) this.#wake(() => true);
      return;
    }
    const isPending = object.spec.nodeName === undefined && countsAsReplica(object) && isOurs(object);
    if (!isPending) this.#forget(key);
    const change = this.#picture.setPod(object);
    if (change === 'freed') this.#wake(() => true);
    if (change === 'taken') this.#wake(dependsOnPods);
    if (isPending) this.#enqueue(object);
  }

  #forget(key: string): void {
    this.#waiting.delete(key);
    this.#queue.remove(key);
    this.#reporter.forget(key);
    this.#nominations.set(key, undefined);
  }

  /**
   * Sets the node that a pending pod is nominated for. Retries the pods that the former nomination kept off a node, not
   * the pod itself.
   */
  #nominate(key: string, nomination: Nomination | undefined): void {
    const given = this.#nominations.set(key, nomination);
    if (given !== undefined) this.#wake(({ priority }) => priority <= given.priority);
  }

  #volumesChanged(): void {
    this.#claimsVersion += 1;
    this.#wake(({ podClass }) => podClass.claimNames.length > 0);
  }

  #devicesChanged(): void {
    this.#claimsVersion += 1;
    this.#wake(({ podClass }) => mayNeedDevices(podClass));
  }

  #enqueue(pod: PodObject): void {
    const key = objectKeyText(pod);
    const podClass = this.#picture.classFor(this.#withDefaults(pod));
    const priority = podPriorityOf(this.#api, pod);
    const { nominatedNodeName: nodeName = '' } = pod.status ?? {};
    this.#nominate(key, nodeName === '' ? undefined : { nodeName, podClass, priority });
    if (isGated(pod)) {
      this.#reporter.report(key, GATED);
      return;
    }
    const before = this.#queue.find(key);
    if (before?.podClass === podClass) return;
    const arrival = before?.arrival ?? (this.#arrivals += 1);
    this.#queue.put({ key, priority, arrival, podClass });
    this.#schedule();
  }

  #wake(isMeant: (pod: QueuedPod) => boolean): void {
    this.#queue.wake(isMeant);
    if (this.#queue.activeCount > 0) this.#schedule();
  }

  #schedule(): void {
    if (!this.#isStopped) this.#turn ??= this.#clock.setTimeout(() => this.#slice(), 0);
  }

  #slice(): void {
    this.#turn = undefined;
    for (const pod of this.#queue.take(PODS_PER_SLICE)) this.#attempt(pod);
    if (this.#queue.activeCount > 0) this.#schedule();
  }

  #attempt(pod: QueuedPod): void {
    try {
      this.#place(pod);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.#api.get(podKind, parseKey(pod.key)) === undefined) return;
      this.#queue.park(pod);
      this.#retryAfter(RETRY_MS);
    }
  }

  #place(pod: QueuedPod): void {
    const waitsFor = this.#waiting.get(pod.key);
    if (waitsFor !== undefined && this.#picture.slot(waitsFor) !== undefined) {
      this.#bind(pod, waitsFor);
      return;
    }
    const { podClass, priority } = pod;
    const known = this.#refused.get(podClass);
    const version = this.#picture.version + this.#claimsVersion + this.#nominations.version;
    const nodeName = this.#nominations.of(pod.key)?.nodeName;
    if (nodeName === undefined && known?.version === version && known.priority === priority) {
      this.#leavePending(pod, known.message);
      return;
    }
    const choice = this.#choose(podClass, { nodeName, others: (name) => this.#nominations.before(pod, name) });
    if (choice.kind === 'none') {
      const message = unschedulableMessage(choice);
      if (nodeName === undefined) this.#refused.set(podClass, { version, priority, message });
      this.#leavePending(pod, message);
      return;
    }
    this.#bind(pod, choice.nodeName);
  }

  #bind(pod: QueuedPod, nodeName: string): void {
    const key = parseKey(pod.key);
    nominateClaims(this.#api, pod.podClass, nodeName);
    if (!this.#hasDevices(pod, nodeName)) return;
    this.#api.bind(key, nodeName);
    const bound = this.#api.get(podKind, key);
    const message = `Successfully assigned ${pod.key} to ${nodeName}`;
    if (bound !== undefined) this.#record(bound, { type: 'Normal', reason: 'Scheduled', message });
  }

  /**
   * Gives the pod its devices on the node; false while it waits for them, with its place kept free, and where they have
   * failed.
   */
  #hasDevices(queued: QueuedPod, nodeName: string): boolean {
    const { key, podClass, priority } = queued;
    const [pod, slot] = [this.#api.get(podKind, parseKey(key)), this.#picture.slot(nodeName)];
    if (!mayNeedDevices(podClass) || pod === undefined || slot === undefined) return true;
    const state = this.#devices.allocate(pod, podClass, slot);
    if (state === 'ready') return true;
    if (state === 'waiting' && !this.#waiting.has(key)) {
      const message = `waiting for binding conditions for device on node ${nodeName}`;
      this.#record(pod, { type: 'Normal', reason: 'BindingConditionsPending', message });
      this.#waiting.set(key, nodeName);
      this.#nominate(key, { nodeName, podClass, priority });
    }
    if (state === 'failed') {
      this.#waiting.delete(key);
      this.#nominate(key, undefined);
    }
    this.#queue.park(queued);
    this.#retryAfter(BINDING_POLL_MS);
    return false;
  }

  #leavePending(pod: QueuedPod, message: string): void {
    this.#queue.park(pod);
    if (!this.#reporter.report(pod.key, { reason: 'Unschedulable', message })) this.#retryAfter(RETELL_MS);
  }

  #retryAfter(delayMs: number): void {
    this.#retry ??= this.#clock.setTimeout(() => {
      this.#retry = undefined;
      this.#wake(() => true);
    }, delayMs);
  }
}

/**
 * Starts the pod binder: kube-scheduler's filters, its scores in small, its queue order, its way with nominations, no
 * preemption. It reads and writes through the in-process API alone and works in slices, so that nothing else waits
 * long. `constraints` are the default spread of its configuration; what they count is read when a pod comes or changes.
 */
export const startBinder = (api: LocalApi, clock: Clock, constraints: readonly TopologySpreadConstraint[] = []): Disposable =>
  new Binder(api, clock, constraints);
