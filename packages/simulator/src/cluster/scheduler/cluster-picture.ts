import { getOrMake } from '@karpenter/core/internal';
import type { NodeObject } from '../objects/node.ts';
import { hasEnded, type PodObject } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';
import type { NamespaceLabels } from './pods/affinity-term.ts';
import type { NodeSlot } from './node-slot.ts';
import { fingerprintOf, slotOf } from './node-slot.ts';
import type { BinderPodClass } from './pods/pod-class.ts';
import { classKeyOf, classOf } from './pods/pod-class.ts';

/** Nodes and what runs on them, kept current event by event. */
export interface ClusterPicture {
  /** In name order. */
  readonly slots: readonly NodeSlot[];
  /** Class → node name → how many of its pods are bound there. */
  readonly placements: ReadonlyMap<BinderPodClass, ReadonlyMap<string, number>>;
  /** Those of `placements` whose pods have terms about others (anti-affinity, preferences). */
  readonly opinionated: ReadonlyMap<BinderPodClass, ReadonlyMap<string, number>>;
  /** Grows with every change that may alter an answer. */
  readonly version: number;
  slot(name: string): NodeSlot | undefined;
  classFor(pod: PodObject): BinderPodClass;
  /** Whether anything changed that the binder cares about. */
  setNode(node: NodeObject): boolean;
  removeNode(name: string): void;
  /** What the state of a pod changes: room was taken (or taken otherwise), or freed, or neither. */
  setPod(pod: PodObject): 'taken' | 'freed' | 'same';
  /** Whether this freed room of a node. */
  removePod(key: string): boolean;
  /** Returns what `read` returns while pods of these classes count on the node. Changes nothing afterwards. */
  supposing<T>(classes: readonly BinderPodClass[], nodeName: string, read: () => T): T;
}

interface Seat {
  readonly podClass: BinderPodClass;
  readonly nodeName: string;
}

const shift = <K>(counts: Map<K, number>, key: K, by: number): void => {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
};

/** Adds (1) or takes away (-1) a pod of a class. */
const fill = (slot: NodeSlot, podClass: BinderPodClass, by: 1 | -1): void => {
  for (const [name, amount] of podClass.requests) shift(slot.used, name, by * amount);
  shift(slot.pods, podClass, by);
};

class Picture implements ClusterPicture {
  version = 0;
  readonly placements = new Map<BinderPodClass, Map<string, number>>();
  readonly opinionated = new Map<BinderPodClass, Map<string, number>>();
  readonly #slots = new Map<string, NodeSlot>();
  readonly #classes = new Map<string, BinderPodClass>();
  readonly #seats = new Map<string, Seat>();
  readonly #namespaceLabels: NamespaceLabels;
  #sorted: readonly NodeSlot[] | undefined;

  constructor(namespaceLabels: NamespaceLabels) {
    this.#namespaceLabels = namespaceLabels;
  }

  get slots(): readonly NodeSlot[] {
    this.#sorted ??= [...this.#slots.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return this.#sorted;
  }

  slot(name: string): NodeSlot | undefined {
    return this.#slots.get(name);
  }

  classFor(pod: PodObject): BinderPodClass {
    const key = classKeyOf(pod);
    let podClass = this.#classes.get(key);
    if (podClass === undefined) this.#classes.set(key, (podClass = classOf(pod, this.#namespaceLabels)));
    return podClass;
  }

  setNode(node: NodeObject): boolean {
    const name = node.metadata.name ?? '';
    if (this.#slots.get(name)?.fingerprint === fingerprintOf(node)) return false;
    const slot = slotOf(node);
    for (const [podClass, byNode] of this.placements) {
      for (let count = byNode.get(name) ?? 0; count > 0; count -= 1) fill(slot, podClass, 1);
    }
    this.#slots.set(name, slot);
    this.#changed();
    return true;
  }

  removeNode(name: string): void {
    this.#slots.delete(name);
    this.#changed();
  }

  setPod(pod: PodObject): 'taken' | 'freed' | 'same' {
    const { nodeName = '' } = pod.spec;
    if (nodeName === '' || hasEnded(pod)) return this.removePod(objectKeyText(pod)) ? 'freed' : 'same';
    const seat: Seat = { podClass: this.classFor(pod), nodeName };
    const before = this.#seats.get(objectKeyText(pod));
    if (before?.podClass === seat.podClass && before.nodeName === nodeName) return 'same';
    if (before !== undefined) this.#vacate(before);
    this.#seats.set(objectKeyText(pod), seat);
    this.#occupy(seat);
    return 'taken';
  }

  removePod(key: string): boolean {
    const seat = this.#seats.get(key);
    if (seat === undefined) return false;
    this.#seats.delete(key);
    this.#vacate(seat);
    return true;
  }

  supposing<T>(classes: readonly BinderPodClass[], nodeName: string, read: () => T): T {
    const { version } = this;
    for (const podClass of classes) this.#occupy({ podClass, nodeName });
    try {
      return read();
    } finally {
      for (const podClass of classes) this.#leave({ podClass, nodeName });
      this.version = version;
    }
  }

  #occupy({ podClass, nodeName }: Seat): void {
    const byNode = getOrMake(this.placements, podClass, () => new Map<string, number>());
    if (podClass.antiAffinity.length + podClass.preferredAffinity.length > 0) this.opinionated.set(podClass, byNode);
    shift(byNode, nodeName, 1);
    const slot = this.#slots.get(nodeName);
    if (slot !== undefined) fill(slot, podClass, 1);
    this.version += 1;
  }

  #vacate(seat: Seat): void {
    this.#leave(seat);
    if (!this.placements.has(seat.podClass)) this.#classes.delete(seat.podClass.key);
  }

  #leave({ podClass, nodeName }: Seat): void {
    const byNode = this.placements.get(podClass);
    if (byNode !== undefined) shift(byNode, nodeName, -1);
    if (byNode?.size === 0) {
      this.placements.delete(podClass);
      this.opinionated.delete(podClass);
    }
    const slot = this.#slots.get(nodeName);
    if (slot !== undefined) fill(slot, podClass, -1);
    this.version += 1;
  }

  #changed(): void {
    this.#sorted = undefined;
    this.version += 1;
  }
}

export const createClusterPicture = (namespaceLabels: NamespaceLabels): ClusterPicture => new Picture(namespaceLabels);
