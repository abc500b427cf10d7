import { kubeTime, parseKey } from '@karpenter/runtime';
import type { Clock, TimerHandle } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { nodes } from '../objects/node.ts';
import { objectKeyText } from '../objects/object-key.ts';
import { countsAsReplica, podKind, type PodObject } from '../objects/pod.ts';
import { isResized, resizedStatus, resizeVerdict, type ResizeVerdict } from './resized-status.ts';

/** A deferred resize is tried again so often. `Differs:` a kubelet also tries when a pod of its node ends. */
const RETRY_MS = 10_000;

export interface PodResizerOptions {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly nodeName: string;
}

/**
 * Resizes the running pods of a node in place, as kubelets do: what fits is granted, what may fit later is deferred,
 * what the node cannot hold at all is infeasible. A container's resources are reported from its first resize on.
 */
export class PodResizer {
  readonly #options: PodResizerOptions;
  /** Key of a running pod → the spec that it runs with. */
  readonly #granted = new Map<string, PodObject['spec']>();
  readonly #retries = new Map<string, TimerHandle>();

  constructor(options: PodResizerOptions) {
    this.#options = options;
  }

  see(pod: PodObject): void {
    const key = objectKeyText(pod);
    if (pod.status?.phase !== 'Running' || !countsAsReplica(pod)) return;
    const granted = this.#granted.get(key);
    if (granted === undefined) this.#granted.set(key, pod.spec);
    else if (isResized(pod, granted) && !this.#retries.has(key)) this.#plan(key, 0);
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
    const { api, clock } = this.#options;
    const pod = api.get(podKind, parseKey(key));
    const granted = this.#granted.get(key);
    if (pod === undefined || granted === undefined || !countsAsReplica(pod)) return;
    const verdict = this.#judge(pod);
    if (verdict === 'fits') this.#granted.set(key, pod.spec);
    else if (verdict === 'Deferred') this.#plan(key, RETRY_MS);
    const status = resizedStatus(pod, granted, { verdict, now: kubeTime(clock.now()) });
    if (JSON.stringify(status) !== JSON.stringify(pod.status)) api.updateStatus({ ...pod, status });
  }

  #judge(pod: PodObject): ResizeVerdict {
    const { api, nodeName } = this.#options;
    const others = api.list(podKind, { fieldSelector: `spec.nodeName=${nodeName}` });
    return resizeVerdict(pod, { others, allocatable: api.get(nodes, { name: nodeName })?.status?.allocatable });
  }
}
