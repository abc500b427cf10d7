import { KubeError, Turns } from '@karpenter/runtime';
import { namespaceOf } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import type { Clock, DecisionReporter, Kube } from '../ports/index.ts';
import { podId } from '../state/index.ts';
import { Backoff } from './backoff.ts';

export interface EvictionsDeps {
  readonly kube: Kube;
  readonly clock: Clock;
  readonly reporter: DecisionReporter;
}

/** After an accepted eviction the watch shows the pod as terminating; a busy API server may take a second or two. */
const ACCEPTED_FOR_MS = 10_000;

/** What lies in the future was accepted before the clock was set back: nobody knows how long ago. */
const isRecent = (atMs: number, nowMs: number): boolean => atMs > nowMs - ACCEPTED_FOR_MS && atMs <= nowMs;

/**
 * So many evictions and deletions are under way at once. All requests of a process share a rate: of thousands at once
 * each other request would wait for as many seconds.
 */
const MOST_AT_ONCE = 32;

/**
 * Evicts pods. A pod that cannot be evicted now is tried again with backoff: after 100 ms at first, 10 s at most. An
 * accepted eviction is not repeated for ten seconds, because the API server accepts it again for a terminating pod.
 * Beyond `MOST_AT_ONCE` namespaces take turns, so that pods whose budgets refuse them do not keep those of others.
 */
export class Evictions {
  readonly #deps: EvictionsDeps;
  readonly #backoff: Backoff;
  /** Pod → when its eviction was accepted, the oldest first. */
  readonly #acceptedAtMs = new Map<string, number>();
  readonly #turns = new Turns(MOST_AT_ONCE);

  constructor(deps: EvictionsDeps) {
    this.#deps = deps;
    this.#backoff = new Backoff(deps.clock, { baseMs: 100, maxMs: 10_000 });
  }

  /**
   * Through the Eviction API, so that budgets are honoured. Does nothing while the pod's backoff runs, or after its
   * eviction was accepted. `reason`: why the node goes. Throws when the API fails; the pod's backoff runs then too.
   */
  async evict(pod: Pod, { reason, signal }: { reason: string; signal: AbortSignal }): Promise<void> {
    const id = podId(pod);
    if (this.#backoff.remainingMs(id) > 0 || this.#isAccepted(id)) return;
    const { uid } = pod.metadata;
    const { kube, reporter } = this.#deps;
    const request = () => kube.evict(keyOfPod(pod), { signal, ...(uid === undefined ? {} : { uid }) });
    const eviction = await this.#turns.run(namespaceOf(pod), request, signal).catch((error: unknown) => {
      this.#rememberFailure(pod, error);
      throw error;
    });
    const nodeName = pod.spec.nodeName ?? '';
    if (typeof eviction === 'object') {
      const { blocked: message, status } = eviction;
      this.#backoff.failed(id, 0, message);
      reporter.report({ kind: 'eviction-blocked', pod, nodeName, message, status });
      return;
    }
    this.#backoff.forget(id);
    this.#acceptedAtMs.set(id, this.#deps.clock.now());
    if (eviction === 'evicted') reporter.report({ kind: 'pod-evicted', pod, nodeName, reason });
    else reporter.report({ kind: 'eviction-failed', pod, status: 404, message: 'The pod is gone' });
  }

  /** Why the pod could not be evicted last time, a failure of the API included; undefined when it could. */
  refusalOf(pod: Pod): string | undefined {
    return this.#backoff.reasonOf(podId(pod));
  }

  /** Deletes the pod, ignoring budgets, because the node's time is up. `reason`: why the node goes. */
  async force(pod: Pod, { graceSeconds, reason, signal }: { graceSeconds: number; reason: string; signal: AbortSignal }): Promise<void> {
    const { uid } = pod.metadata;
    const options = { signal, gracePeriodSeconds: graceSeconds, ...(uid === undefined ? {} : { uid }) };
    await this.#turns.run(namespaceOf(pod), () => this.#deps.kube.delete('Pod', keyOfPod(pod), options), signal);
    this.#backoff.forget(podId(pod));
    this.#deps.reporter.report({ kind: 'pod-forced', pod, nodeName: pod.spec.nodeName ?? '', graceSeconds, reason });
  }

  #isAccepted(id: string): boolean {
    const nowMs = this.#deps.clock.now();
    for (const [accepted, atMs] of this.#acceptedAtMs) {
      if (isRecent(atMs, nowMs)) break;
      this.#acceptedAtMs.delete(accepted);
    }
    return isRecent(this.#acceptedAtMs.get(id) ?? Number.NEGATIVE_INFINITY, nowMs);
  }

  /** A webhook that denies the eviction keeps the pod as a budget does, so its text is kept like a refusal. */
  #rememberFailure(pod: Pod, error: unknown): void {
    if (!(error instanceof KubeError) || error.code === 'aborted') return;
    const { status, message } = error;
    this.#backoff.failed(podId(pod), 0, message);
    if (status !== undefined) this.#deps.reporter.report({ kind: 'eviction-failed', pod, status, message });
  }
}

/** Where the API server finds the pod. */
export const keyOfPod = (pod: Pod): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaceOf(pod),
  name: pod.metadata.name,
});
