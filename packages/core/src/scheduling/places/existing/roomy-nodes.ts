import type { PodClass } from '../../classes/pod-class.ts';

/** How many nodes are remembered per class: enough for most questions, and little memory. */
const REMEMBERED = 32;

/** The first nodes with room for one pod of a class, and up to where that is known. */
interface Roomy {
  readonly nodes: number[];
  scanned: number;
}

/**
 * Which nodes of the snapshot have room for a pod of a class. Questions only ever take room away, so a node that is full in the snapshot need not be
 * asked again: a what-if then costs the pods that move, not the number of full nodes.
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

  /** The nodes that may have room for a pod of the class, in order: the remembered ones do, those after them were not looked at. */
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
