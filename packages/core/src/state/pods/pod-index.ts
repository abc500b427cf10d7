import { isSucceededMember } from '../../cluster/index.ts';
import { isProvisionable, isTerminal } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';

/** A pod's identity: its uid, or its name where it has none (in tests). */
export const podId = ({ metadata: { uid, namespace, name } }: Pod): string => uid ?? `${namespace ?? 'default'}/${name}`;

const NONE: ReadonlyMap<string, Pod> = new Map();

/** Pods by where they are: waiting for a node, or running on one. */
export class PodIndex {
  readonly #byId = new Map<string, Pod>();
  readonly #waiting = new Map<string, Pod>();
  readonly #succeededMembers = new Map<string, Pod>();
  readonly #byNode = new Map<string, Map<string, Pod>>();

  set(pod: Pod): void {
    const id = podId(pod);
    this.#detach(id);
    this.#byId.set(id, pod);
    if (isProvisionable(pod)) this.#waiting.set(id, pod);
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

  /** Those that a new node might help, by id. */
  get waiting(): ReadonlyMap<string, Pod> {
    return this.#waiting;
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
    this.#waiting.delete(id);
    this.#succeededMembers.delete(id);
    if (nodeName === undefined) return;
    const onNode = this.#byNode.get(nodeName);
    onNode?.delete(id);
    if (onNode?.size === 0) this.#byNode.delete(nodeName);
  }
}
