import type { BinderPodClass } from '../pods/pod-class.ts';
import type { QueuedPod } from './scheduling-queue.ts';

/** A pod that is expected on a node, whether there is such a node or not. */
export interface Nomination {
  readonly nodeName: string;
  readonly podClass: BinderPodClass;
  readonly priority: number;
}

/** Which pending pods say in `status.nominatedNodeName` where they are expected. */
export interface BinderNominations {
  /** Grows with every change. */
  readonly version: number;
  of(key: string): Nomination | undefined;
  /** Without a nomination the pod is forgotten. Returns the one that it replaces, if that was another one. */
  set(key: string, nomination: Nomination | undefined): Nomination | undefined;
  /**
   * The other pods that are expected on the node and that a pod of this priority must leave room for: those of no lower
   * one.
   */
  before(pod: Pick<QueuedPod, 'key' | 'priority'>, nodeName: string): readonly BinderPodClass[];
}

const isSame = (one: Nomination | undefined, other: Nomination | undefined): boolean =>
  one?.nodeName === other?.nodeName && one?.podClass === other?.podClass && one?.priority === other?.priority;

const NOBODY: ReadonlyMap<string, Nomination> = new Map();

class Book implements BinderNominations {
  version = 0;
  readonly #byPod = new Map<string, Nomination>();
  readonly #byNode = new Map<string, Map<string, Nomination>>();

  of(key: string): Nomination | undefined {
    return this.#byPod.get(key);
  }

  set(key: string, nomination: Nomination | undefined): Nomination | undefined {
    const previous = this.#byPod.get(key);
    if (isSame(previous, nomination)) return undefined;
    this.version += 1;
    this.#byPod.delete(key);
    if (previous !== undefined) this.#leave(key, previous.nodeName);
    if (nomination !== undefined) this.#enter(key, nomination);
    return previous;
  }

  before({ key, priority }: Pick<QueuedPod, 'key' | 'priority'>, nodeName: string): readonly BinderPodClass[] {
    const there = [...(this.#byNode.get(nodeName) ?? NOBODY)];
    return there.filter(([other, nomination]) => other !== key && nomination.priority >= priority).map(([, { podClass }]) => podClass);
  }

  #enter(key: string, nomination: Nomination): void {
    const there = this.#byNode.get(nomination.nodeName) ?? new Map<string, Nomination>();
    this.#byPod.set(key, nomination);
    this.#byNode.set(nomination.nodeName, there.set(key, nomination));
  }

  #leave(key: string, nodeName: string): void {
    const there = this.#byNode.get(nodeName);
    there?.delete(key);
    if (there?.size === 0) this.#byNode.delete(nodeName);
  }
}

export const createNominations = (): BinderNominations => new Book();
