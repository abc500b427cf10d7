import { KubeError } from '@karpenter/runtime';
import { isActive, isGated } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import type { Clock, DecisionReporter } from '../ports/index.ts';
import { isInitialized, podId } from '../state/index.ts';
import type { ClusterState } from '../state/index.ts';
import type { Acting } from './write-through.ts';
import { keyOfPod } from './evictions.ts';

const KUBE_SCHEDULER = 'default-scheduler';

/**
 * Whether the pod waits for kube-scheduler to give it a node. Other schedulers read a nomination differently, or do not
 * end it.
 */
const waitsForKubeScheduler = (pod: Pod): boolean =>
  pod.spec.nodeName === undefined && isActive(pod) && !isGated(pod) && (pod.spec.schedulerName ?? KUBE_SCHEDULER) === KUBE_SCHEDULER;

/** The node that kube-scheduler tries first for the pod (`status.nominatedNodeName`); undefined when there is none. */
const nominatedNodeOf = ({ status }: Pod): string | undefined => (status?.nominatedNodeName === '' ? undefined : status?.nominatedNodeName);

/**
 * What to do so that kube-scheduler tries a pod on the node first. `nominated`: nothing, its status says so already.
 * `leave`: nothing, since it does not wait for a node, or kube-scheduler has nominated it for another one, which nobody
 * else may overrule.
 */
export const nominationOf = (pod: Pod, nodeName: string): 'nominate' | 'nominated' | 'leave' => {
  if (!waitsForKubeScheduler(pod)) return 'leave';
  const current = nominatedNodeOf(pod);
  if (current === undefined) return 'nominate';
  return current === nodeName ? 'nominated' : 'leave';
};

export interface Nominating extends Acting {
  readonly state: Pick<ClusterState, 'nominatedOn' | 'podWith' | 'isNominated' | 'withdrawNomination' | 'claimOnNode' | 'guard'>;
  readonly clock: Clock;
  readonly reporter: DecisionReporter;
}

/** What to write to pods, and whether a pod, by its present state, still wants it. */
interface Change {
  readonly nodeName: string | null;
  readonly isWanted: (pod: Pod) => boolean;
}

/** Per node; the client limits the rate of all nodes together. */
const WRITES_AT_ONCE = 8;
/** kube-scheduler writes to the same pods, most of all when a node becomes ready. */
const TRIES = 5;
const CATCH_UP_MS = 200;

/**
 * Writes the nominations of `ClusterState` to pods as `status.nominatedNodeName`. kube-scheduler tries that node
 * first and reserves the room there against pods of equal or lower priority. Remembers which nominations it wrote,
 * and withdraws those that state has ended. Source: Kubernetes KEP-1923 and KEP-5278,
 * `pkg/scheduler/schedule_one.go`. Differs: the original nominates in its own memory only, and leaves kube-scheduler
 * to find a place.
 */
export class PodNominations {
  readonly #deps: Nominating;
  /** Pod → node. */
  readonly #own = new Map<string, string>();
  /** Nodes that pods were nominated for when last seen. */
  readonly #nodes = new Set<string>();

  constructor(deps: Nominating) {
    this.#deps = deps;
  }

  /**
   * Writes the nominations for the node. A failed write is reported and never thrown: a nomination is a hint, and pods
   * run without it.
   */
  async announce(nodeName: string, signal: AbortSignal): Promise<void> {
    const nominated = this.#deps.state.nominatedOn(nodeName);
    if (nominated.length > 0) this.#nodes.add(nodeName);
    else this.#nodes.delete(nodeName);
    const noted = this.#deps.state.guard.filter('Pod', nominated, (pod) => nominationOf(pod, nodeName) === 'nominated');
    for (const pod of noted) this.#own.set(podId(pod), nodeName);
    const isWanted = (pod: Pod): boolean => nominationOf(pod, nodeName) === 'nominate';
    const written = await this.#writeAll(nominated, { nodeName, isWanted }, signal);
    for (const pod of written) this.#own.set(podId(pod), nodeName);
    if (written.length > 0) this.#deps.reporter.report({ kind: 'pods-nominated', nodeName, pods: written.length });
  }

  /** Nominates again pods whose nomination kube-scheduler cleared because it tried them while their node was still tainted. */
  async renew(signal: AbortSignal): Promise<void> {
    for (const nodeName of [...this.#nodes]) {
      const { state } = this.#deps;
      if (this.#isUp(nodeName)) {
        const seen = (pod: Pod): readonly Pod[] => {
          this.refused(pod);
          return [];
        };
        state.guard.each('Pod', state.nominatedOn(nodeName), seen);
      } else await this.announce(nodeName, signal);
    }
  }

  /**
   * Withdraws nominations that state has ended, so that the pods are planned again. kube-scheduler itself would take
   * minutes.
   */
  async withdrawLapsed(signal: AbortSignal): Promise<void> {
    const { state } = this.#deps;
    const lapsed: Pod[] = [];
    for (const [id, nodeName] of [...this.#own]) {
      const pod = state.podWith(id);
      const isLapsed = (each: Pod): boolean => this.#isLapsed(each, nodeName);
      if (pod === undefined) this.#own.delete(id);
      // Of a pod that triggers a bug nobody knows whether its nomination is still written: it is kept.
      else lapsed.push(...state.guard.filter('Pod', [pod], isLapsed));
    }
    const isWanted = (pod: Pod): boolean => this.#own.get(podId(pod)) === nominatedNodeOf(pod);
    for (const pod of await this.#writeAll(lapsed, { nodeName: null, isWanted }, signal)) this.#own.delete(podId(pod));
  }

  /**
   * Call it when a pod waits without its nomination. If its node is up, kube-scheduler found no room there. The
   * nomination in state is withdrawn, and the pod is planned again at once.
   */
  refused(pod: Pod): void {
    const nodeName = this.#own.get(podId(pod));
    if (nodeName === undefined || nominationOf(pod, nodeName) !== 'nominate' || !this.#isUp(nodeName)) return;
    this.#own.delete(podId(pod));
    this.#deps.state.withdrawNomination(pod);
  }

  #isUp(nodeName: string): boolean {
    const { state } = this.#deps;
    const claim = state.claimOnNode(nodeName);
    return claim === undefined || state.guard.filter('NodeClaim', [claim], isInitialized).length > 0;
  }

  /** Whether a nomination of ours is still written that state has ended. Forgets one that is no longer ours. */
  #isLapsed(pod: Pod, nodeName: string): boolean {
    const action = nominationOf(pod, nodeName);
    if (action !== 'leave' && this.#deps.state.isNominated(pod, nodeName)) return false;
    if (action !== 'nominated') this.#own.delete(podId(pod));
    return action === 'nominated';
  }

  /** The pods that were written, in no particular order. */
  async #writeAll(pods: readonly Pod[], change: Change, signal: AbortSignal): Promise<readonly Pod[]> {
    const { guard } = this.#deps.state;
    const left = guard.filter('Pod', pods, (pod) => change.isWanted(pod)).values();
    const written: Pod[] = [];
    const write = (pod: Pod): Promise<boolean> => this.#writeOrTell(pod, change, signal);
    const work = async (): Promise<void> => {
      for (const pod of left) if ((await guard.work({ kind: 'Pod', object: pod, signal }, () => write(pod))) === true) written.push(pod);
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

  /** Writes with the resource version that was read, so that nothing that kube-scheduler writes meanwhile is overruled. */
  async #write(pod: Pod, change: Change, { signal, tries }: { signal: AbortSignal; tries: number }): Promise<boolean> {
    const { kube, caches } = this.#deps;
    const body = { metadata: { resourceVersion: pod.metadata.resourceVersion }, status: { nominatedNodeName: change.nodeName } };
    try {
      const written = await kube.patchStatus('Pod', keyOfPod(pod), { type: 'merge', body, signal });
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
