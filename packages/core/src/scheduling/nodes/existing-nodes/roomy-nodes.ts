import { amountAt, getOrMake, idAt, itemAt, memoByKey } from '../../../base/index.ts';
import type { PodClass, SharedSlot } from '../../pod-classes/pod-class.ts';

/** How many nodes are remembered per list and class: enough for most questions, and little memory. */
const REMEMBERED = 32;

/** Where a list of nodes has room for a pod of one class in the snapshot. */
export class RoomyList {
  readonly #nodes: readonly number[];
  readonly #hasRoom: (node: number) => boolean;
  /** Positions of the first nodes with room, and up to where they are known. */
  readonly #positions: number[] = [];
  #scanned = 0;

  constructor(nodes: readonly number[], hasRoom: (node: number) => boolean) {
    this.#nodes = nodes;
    this.#hasRoom = hasRoom;
  }

  /** The first position from `from` on of a node that may have room for a pod; the length of the list where there is none. */
  next(from: number): number {
    if (this.#positions.length === REMEMBERED && from >= this.#scanned) return from;
    for (const position of this.#positions) if (position >= from) return position;
    return this.#scan(from);
  }

  /** Looks on, as far as more may be remembered. */
  #scan(from: number): number {
    while (this.#positions.length < REMEMBERED && this.#scanned < this.#nodes.length) {
      const position = this.#scanned++;
      if (!this.#hasRoom(itemAt(this.#nodes, position))) continue;
      this.#positions.push(position);
      if (position >= from) return position;
    }
    return Math.max(from, this.#scanned);
  }
}

/**
 * Which nodes of the snapshot have room for a pod of a class. Questions only take room away, so nodes that are full in
 * the snapshot are skipped. A what-if then costs the pods that move, not the number of full nodes.
 */
export class RoomyNodes {
  readonly #columns: readonly Float64Array[];
  readonly #all: readonly number[];
  readonly #known = new Map<PodClass, Map<readonly number[], RoomyList>>();

  /** Keeps a copy of `columns` (resource → node → free room) as they are now. */
  constructor(columns: readonly Float64Array[], count: number) {
    this.#columns = columns.map((column) => column.slice());
    this.#all = Array.from({ length: count }, (_, node) => node);
  }

  /**
   * The nodes that may have room for a pod of the class, in order: the remembered ones do, those after them were not
   * checked.
   */
  *of(podClass: PodClass): Generator<number, void, void> {
    const { length } = this.#all;
    const roomy = this.among(this.#all, podClass);
    for (let node = roomy.next(0); node < length; node = roomy.next(node + 1)) yield node;
  }

  /** What is known of some of the nodes. Remembered by the identity of their list. */
  among(nodes: readonly number[], podClass: PodClass): RoomyList {
    const ofClass = getOrMake(this.#known, podClass, () => new Map<readonly number[], RoomyList>());
    return getOrMake(ofClass, nodes, () => new RoomyList(nodes, (node) => this.#hasRoom(node, podClass)));
  }

  #hasRoom(node: number, { resourceIds, amounts }: PodClass): boolean {
    for (let i = 0; i < resourceIds.length; i++) {
      if (amountAt(itemAt(this.#columns, idAt(resourceIds, i)), node) < amountAt(amounts, i)) return false;
    }
    return true;
  }
}

/** What one pod takes of a place: the numbers of its resources, and the amount of each. */
export type ResourceNeeds = Pick<PodClass, 'resourceIds' | 'amounts'>;

/**
 * What one more pod of the class takes: its amounts, and a slot for each shared volume that is not attached yet. Most
 * classes share none.
 */
export const needsOn = (podClass: PodClass, isAttached: (claim: string) => boolean): ResourceNeeds => {
  const missing = podClass.shared?.filter(({ claim }) => !isAttached(claim)) ?? [];
  if (missing.length === 0) return podClass;
  const amounts = new Map(Array.from(podClass.resourceIds, (resource, i): [number, number] => [resource, amountAt(podClass.amounts, i)]));
  for (const { resource } of missing) amounts.set(resource, (amounts.get(resource) ?? 0) + 1);
  return { resourceIds: Int32Array.from(amounts.keys()), amounts: Float64Array.from(amounts.values()) };
};

/** The volumes that pods of existing nodes share, node by node; looked up when a pod with shared volumes first asks. */
export class SharedVolumes {
  readonly #attachedTo: (node: number) => ReadonlySet<string>;
  /** Node → claim → how many pods hold it there; those of the snapshot count as one. */
  readonly #on = memoByKey((node: number) => new Map(Array.from(this.#attachedTo(node), (claim): [string, number] => [claim, 1])));

  constructor(attachedTo: (node: number) => ReadonlySet<string>) {
    this.#attachedTo = attachedTo;
  }

  isAttached(node: number, claim: string): boolean {
    return (this.#on(node).get(claim) ?? 0) > 0;
  }

  /** So many pods come (or, below zero, go). Returns by how much the slots in use change: 1, 0 or -1. */
  add(node: number, { claim }: SharedSlot, pods: number): number {
    const holders = this.#on(node);
    const before = holders.get(claim) ?? 0;
    holders.set(claim, before + pods);
    return Number(before + pods > 0) - Number(before > 0);
  }
}
