import type { PodClass } from '../../classes/pod-class.ts';

/** So many nodes are remembered for each class: where most pods of a question end up, and never much memory. */
const REMEMBERED = 32;

/** The first nodes with room for one pod of a class, and up to where that is known. */
interface Roomy {
  readonly nodes: number[];
  scanned: number;
}

/**
 * Which nodes have room for a pod of some class before any question is asked. A question only ever takes room away, so that a node without
 * room in the snapshot need not be asked again by the next one: over full nodes a what-if costs what moves, not the nodes there are.
 */
export class RoomyNodes {
  readonly #columns: readonly Float64Array[];
  readonly #count: number;
  readonly #known = new Map<PodClass, Roomy>();

  /** Keeps a copy of `columns` (resource → node → free room) as they are now. */
  constructor(columns: readonly Float64Array[], count: number) {
    this.#columns = columns.map((column) => column.slice());
    this.#count = count;
  }

  /** The nodes that may have room for a pod of the class, in order; with some more behind those that are remembered. */
  *of(podClass: PodClass): Generator<number, void, void> {
    const roomy = this.#known.get(podClass) ?? { nodes: [], scanned: 0 };
    this.#known.set(podClass, roomy);
    for (let index = 0; this.#isKnown(roomy, index, podClass); index++) yield roomy.nodes[index] ?? 0;
    for (let node = roomy.scanned; node < this.#count; node++) yield node;
  }

  /** Looks on for the node at this place of the list, as far as the list may grow. */
  #isKnown(roomy: Roomy, index: number, podClass: PodClass): boolean {
    while (roomy.nodes.length <= index && roomy.nodes.length < REMEMBERED && roomy.scanned < this.#count) {
      if (this.#hasRoom(roomy.scanned, podClass)) roomy.nodes.push(roomy.scanned);
      roomy.scanned++;
    }
    return index < roomy.nodes.length;
  }

  #hasRoom(node: number, { resourceIds, amounts }: PodClass): boolean {
    for (let i = 0; i < resourceIds.length; i++) {
      if ((this.#columns[resourceIds[i] ?? 0]?.[node] ?? 0) < (amounts[i] ?? 1)) return false;
    }
    return true;
  }
}
