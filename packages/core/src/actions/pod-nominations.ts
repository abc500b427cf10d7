import { KubeError } from '@karpenter/runtime';
import type { Pod } from '../kube/index.ts';
import type { Clock, DecisionReporter } from '../ports/index.ts';
import { isInitialized, podId } from '../state/index.ts';
import type { ClusterState } from '../state/index.ts';
import { nominatedNodeOf, nominationOf } from './nomination-of.ts';
import type { Acting } from './write-through.ts';

export interface Nominating extends Acting {
  readonly state: Pick<ClusterState, 'promisedOn' | 'podWith' | 'isPromised' | 'breakPromise' | 'claimOnNode'>;
  readonly clock: Clock;
  readonly reporter: DecisionReporter;
}

/** One change of one pod: whether it is still wanted of the pod as it is by now, and what it comes to. */
interface Change {
  readonly nodeName: string | null;
  readonly isWanted: (pod: Pod) => boolean;
}

/** For one node; the client's rate holds for all together. */
const WRITES_AT_ONCE = 8;
/** kube-scheduler writes to the same pods, most of all when a node comes. */
const TRIES = 5;
const CATCH_UP_MS = 200;

/**
 * Tells kube-scheduler where pods were planned, by `status.nominatedNodeName`: it tries that node first, and leaves the pod's room there to
 * no other pod of equal or lower priority. Remembers which nominations are its own, and takes back those whose promise has ended.
 * Source: Kubernetes KEP-1923 and KEP-5278, `pkg/scheduler/schedule_one.go`.
 * Differs: the original nominates in its own memory only, and leaves kube-scheduler to find a place.
 */
export class PodNominations {
  readonly #deps: Nominating;
  /** Pod → node. */
  readonly #own = new Map<string, string>();
  /** Nodes that pods were promised room on when last seen. */
  readonly #nodes = new Set<string>();

  constructor(deps: Nominating) {
    this.#deps = deps;
  }

  /** Nominates the pods that were promised room on the node. A write that fails is told and never thrown: it is a hint, and pods run without it. */
  async announce(nodeName: string, signal: AbortSignal): Promise<void> {
    const promised = this.#deps.state.promisedOn(nodeName);
    if (promised.length > 0) this.#nodes.add(nodeName);
    else this.#nodes.delete(nodeName);
    for (const pod of promised) if (nominationOf(pod, nodeName) === 'nominated') this.#own.set(podId(pod), nodeName);
    const isWanted = (pod: Pod): boolean => nominationOf(pod, nodeName) === 'nominate';
    const written = await this.#writeAll(promised, { nodeName, isWanted }, signal);
    for (const pod of written) this.#own.set(podId(pod), nodeName);
    if (written.length > 0) this.#deps.reporter.report({ kind: 'pods-nominated', nodeName, pods: written.length });
  }

  /** Nominates again those that kube-scheduler has tried while their node was still closed, for which other nodes that come are a reason. */
  async renew(signal: AbortSignal): Promise<void> {
    for (const nodeName of [...this.#nodes]) {
      if (this.#isUp(nodeName)) for (const pod of this.#deps.state.promisedOn(nodeName)) this.refused(pod);
      else await this.announce(nodeName, signal);
    }
  }

  /** Takes back what was promised no longer, so that the pods are planned again. kube-scheduler would end it within minutes. */
  async withdrawLapsed(signal: AbortSignal): Promise<void> {
    const { state } = this.#deps;
    const lapsed: Pod[] = [];
    for (const [id, nodeName] of [...this.#own]) {
      const pod = state.podWith(id);
      if (pod === undefined || nominationOf(pod, nodeName) === 'leave') this.#own.delete(id);
      else if (state.isPromised(pod, nodeName)) continue;
      else if (nominationOf(pod, nodeName) === 'nominated') lapsed.push(pod);
      else this.#own.delete(id);
    }
    const isWanted = (pod: Pod): boolean => this.#own.get(podId(pod)) === nominatedNodeOf(pod);
    for (const pod of await this.#writeAll(lapsed, { nodeName: null, isWanted }, signal)) this.#own.delete(podId(pod));
  }

  /**
   * The pod may wait without its nomination. When that was for a node that is up, kube-scheduler has tried it there and others had the room: the promise
   * is void, and the pod is planned again now instead of when the promise ends.
   */
  refused(pod: Pod): void {
    const nodeName = this.#own.get(podId(pod));
    if (nodeName === undefined || nominationOf(pod, nodeName) !== 'nominate' || !this.#isUp(nodeName)) return;
    this.#own.delete(podId(pod));
    this.#deps.state.breakPromise(pod);
  }

  #isUp(nodeName: string): boolean {
    const claim = this.#deps.state.claimOnNode(nodeName);
    return claim === undefined || isInitialized(claim);
  }

  /** The pods that were written, in no order. */
  async #writeAll(pods: readonly Pod[], change: Change, signal: AbortSignal): Promise<readonly Pod[]> {
    const left = pods.filter((pod) => change.isWanted(pod)).values();
    const written: Pod[] = [];
    const work = async (): Promise<void> => {
      for (const pod of left) if (await this.#writeOrTell(pod, change, signal)) written.push(pod);
    };
    await Promise.all(Array.from({ length: WRITES_AT_ONCE }, work));
    return written;
  }

  async #writeOrTell(pod: Pod, change: Change, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#write(pod, change, { signal, tries: TRIES });
    } catch (error) {
      if (!(error instanceof KubeError) || signal.aborted) throw error;
      this.#deps.reporter.report({ kind: 'nomination-failed', pod, message: error.message });
      return false;
    }
  }

  /** In the version that was read, so that nothing is overruled that kube-scheduler writes meanwhile. */
  async #write(pod: Pod, change: Change, { signal, tries }: { signal: AbortSignal; tries: number }): Promise<boolean> {
    const { kube, caches } = this.#deps;
    const body = { metadata: { resourceVersion: pod.metadata.resourceVersion }, status: { nominatedNodeName: change.nodeName } };
    try {
      const written = await kube.patchStatus('Pod', keyOf(pod), { type: 'merge', body, signal });
      if (written?.metadata.resourceVersion !== undefined) await caches.pods.waitFor(written.metadata.resourceVersion, signal);
      return written !== undefined;
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'conflict') throw error;
      const now = tries > 1 ? await this.#seenAgain(pod, signal) : undefined;
      return now !== undefined && change.isWanted(now) && this.#write(now, change, { signal, tries: tries - 1 });
    }
  }

  /** The pod as the cache has it once the change that was in the way has come, or as before when that takes longer. */
  async #seenAgain(pod: Pod, signal: AbortSignal): Promise<Pod | undefined> {
    await this.#deps.clock.sleep(CATCH_UP_MS, signal);
    return this.#deps.state.podWith(podId(pod));
  }
}

const keyOf = ({ metadata: { namespace = 'default', name } }: Pod) => ({ namespace, name });
