import type { Clock, TimerHandle } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { timestampOf } from '../clock/timestamp.ts';
import { withCondition } from '../objects/conditions.ts';
import { nodes } from '../objects/node.ts';
import { objectKeyText, parseObjectKey } from '../objects/object-key.ts';
import { isActive } from '../objects/pod-state.ts';
import type { Container, ContainerStatus, Pod, PodStatus } from '../objects/pod.ts';
import { pods } from '../objects/pod.ts';
import { type Amounts, amountsOf, sumOf } from '../resources/amounts.ts';
import { effectiveRequests } from '../resources/effective-requests.ts';

/** A deferred resize is tried again so often. `Differs:` a kubelet also tries when a pod of its node ends. */
const RETRY_MS = 10_000;

export interface PodResizerOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly nodeName: string;
}

type Verdict = 'fits' | 'Deferred' | 'Infeasible';

const fits = (wanted: Amounts, room: Amounts): boolean => Object.entries(wanted).every(([name, amount]) => amount <= (room[name] ?? 0));

const resourcesOf = ({ containers, initContainers = [] }: Pod['spec']): string =>
  JSON.stringify([...containers, ...initContainers].map(({ resources }) => resources ?? {}));

/** What runs before the resize, so that it counts while the resize waits. */
const withResources = (
  statuses: readonly ContainerStatus[] | undefined,
  containers: readonly Container[] = [],
): readonly ContainerStatus[] | undefined =>
  statuses?.map((status) => {
    const { resources = {} } = containers.find(({ name }) => name === status.name) ?? {};
    return { ...status, resources, allocatedResources: resources.requests ?? {} };
  });

/**
 * Resizes the running pods of a node in place, as kubelets do: what fits is granted, what may fit later is deferred,
 * what the node cannot hold at all is infeasible. A container's resources are reported from its first resize on.
 */
export class PodResizer {
  readonly #options: PodResizerOptions;
  /** Key of a running pod → the spec that it runs with. */
  readonly #granted = new Map<string, Pod['spec']>();
  readonly #retries = new Map<string, TimerHandle>();

  constructor(options: PodResizerOptions) {
    this.#options = options;
  }

  see(pod: Pod): void {
    const key = objectKeyText(pod);
    if (pod.status?.phase !== 'Running' || !isActive(pod)) return;
    const granted = this.#granted.get(key);
    if (granted === undefined) this.#granted.set(key, pod.spec);
    else if (resourcesOf(granted) !== resourcesOf(pod.spec) && !this.#retries.has(key)) this.#plan(key, 0);
  }

  forget(key: string): void {
    this.#granted.delete(key);
    this.#retries.get(key)?.cancel();
    this.#retries.delete(key);
  }

  stop(): void {
    for (const key of [...this.#granted.keys()]) this.forget(key);
  }

  #plan(key: string, afterMs: number): void {
    this.#retries.set(
      key,
      this.#options.clock.setTimeout(() => {
        this.#retries.delete(key);
        this.#try(key);
      }, afterMs),
    );
  }

  #try(key: string): void {
    const { api } = this.#options;
    const pod = api.get(pods, parseObjectKey(key));
    const granted = this.#granted.get(key);
    if (pod === undefined || granted === undefined || !isActive(pod)) return;
    const verdict = this.#judge(pod);
    if (verdict === 'fits') this.#granted.set(key, pod.spec);
    else if (verdict === 'Deferred') this.#plan(key, RETRY_MS);
    const status = this.#statusOf(pod, verdict === 'fits' ? pod.spec : granted, verdict);
    if (JSON.stringify(status) !== JSON.stringify(pod.status)) api.updateStatus({ ...pod, status });
  }

  #judge(pod: Pod): Verdict {
    const { api, nodeName } = this.#options;
    const room = amountsOf(api.get(nodes, { name: nodeName })?.status?.allocatable);
    const wanted = effectiveRequests({ spec: pod.spec });
    if (!fits(wanted, room)) return 'Infeasible';
    const others = api
      .list(pods, { fieldSelector: `spec.nodeName=${nodeName}` })
      .filter((other) => isActive(other) && objectKeyText(other) !== objectKeyText(pod));
    return fits(others.map(effectiveRequests).reduce(sumOf, wanted), room) ? 'fits' : 'Deferred';
  }

  #statusOf({ spec, status }: Pod, { containers, initContainers }: Pod['spec'], verdict: Verdict): PodStatus {
    const { conditions = [], containerStatuses, initContainerStatuses, ...rest } = status ?? {};
    const message = verdict === 'Infeasible' ? "Node didn't have enough capacity" : "Node didn't have enough resource";
    const pending = { type: 'PodResizePending', status: 'True' as const, reason: verdict, message };
    const now = timestampOf(this.#options.clock);
    const initStatuses = spec.initContainers && withResources(initContainerStatuses, initContainers);
    return {
      ...rest,
      conditions:
        verdict === 'fits' ? conditions.filter(({ type }) => type !== 'PodResizePending') : withCondition(conditions, pending, now),
      ...{ containerStatuses: withResources(containerStatuses, containers) ?? [] },
      ...(initStatuses && { initContainerStatuses: initStatuses }),
    };
  }
}
