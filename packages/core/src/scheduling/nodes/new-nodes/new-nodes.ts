import { amountAt, idAt, itemAt } from '../../../base/index.ts';
import type { IncomingPod, NewNode, NarrowedPlace } from './new-node.ts';
import type { PodClass } from '../../pod-classes/pod-class.ts';
import type { DomainTable } from '../../topology/domain-table.ts';
import { addInState, addNarrowing, addToNewNode, fitOnTypes, fitWithPod } from './new-node.ts';
import { NewNodeIndex } from './new-node-index.ts';
import { nextState } from '../node-state.ts';
import { priceOf } from '../../packing/unit-prices.ts';
import type { Fit, NodeState } from '../node-model.ts';

/** A binary heap over the numbers of new nodes: the node with the fewest pods on top, ties by number. */
export class NewNodeQueue {
  readonly #newNodes: readonly NewNode[];
  readonly #numbers: number[];

  /** Takes the array of numbers over. */
  constructor(newNodes: readonly NewNode[], numbers: number[]) {
    this.#newNodes = newNodes;
    this.#numbers = numbers;
    for (let at = (numbers.length >>> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  get top(): number | undefined {
    return this.#numbers[0];
  }

  drop(): void {
    const last = this.#numbers.pop();
    if (last === undefined || this.#numbers.length === 0) return;
    this.#numbers[0] = last;
    this.#sink(0);
  }

  /** To be called once the top has taken a pod. */
  reorderTop(): void {
    this.#sink(0);
  }

  #isBefore(a: number, b: number): boolean {
    const difference = itemAt(this.#newNodes, a).podCount - itemAt(this.#newNodes, b).podCount;
    return difference < 0 || (difference === 0 && a < b);
  }

  /** The better child of a place, or the place itself when neither is better. */
  #better(at: number): number {
    const numbers = this.#numbers;
    const left = 2 * at + 1;
    const right = left + 1;
    let best = at;
    if (left < numbers.length && this.#isBefore(itemAt(numbers, left), itemAt(numbers, best))) best = left;
    if (right < numbers.length && this.#isBefore(itemAt(numbers, right), itemAt(numbers, best))) best = right;
    return best;
  }

  #sink(start: number): void {
    const numbers = this.#numbers;
    let at = start;
    for (let child = this.#better(at); child !== at; child = this.#better(at)) {
      const moving = itemAt(numbers, at);
      numbers[at] = itemAt(numbers, child);
      numbers[child] = moving;
      at = child;
    }
  }
}

/** For so many nodes at first: V8 keeps up to 64 bytes beside the array, which is made 4 times as fast as larger ones. */
const FIRST_ROOM = 8;

/**
 * The new nodes of one solve, with one column of free room per resource, so that a search through thousands only compares
 * numbers.
 */
export class NewNodes {
  readonly newNodes: NewNode[] = [];
  /** What a node may cost more with one more pod, in dollars an hour. */
  mostGrowth = Number.POSITIVE_INFINITY;
  readonly #room: Float64Array[];

  /** Kept only where some pod has topology constraints. */
  readonly index: NewNodeIndex | undefined;

  constructor(resourceCount: number, domains?: DomainTable) {
    this.index = domains && new NewNodeIndex(domains);
    this.#room = Array.from({ length: resourceCount }, () => new Float64Array(FIRST_ROOM));
  }

  push(newNode: NewNode): void {
    if (this.newNodes.length === this.#room[0]?.length) this.#grow();
    this.newNodes.push(newNode);
    this.#update(this.newNodes.length - 1, newNode);
  }

  /**
   * Places up to `wanted` pods, each on the node with the fewest pods that takes it (then the oldest). Returns how many
   * it placed.
   */
  place(incoming: IncomingPod, wanted: number): number {
    const queue = new NewNodeQueue(this.newNodes, this.#withRoomFor(incoming.podClass));
    let placed = 0;
    for (let number = queue.top; number !== undefined && placed < wanted; number = queue.top) {
      const newNode = this.newNodes[number];
      if (newNode === undefined || this.#growsTooMuch(newNode, incoming) || !addToNewNode(newNode, incoming)) queue.drop();
      else {
        placed++;
        this.#update(number, newNode);
        queue.reorderTop();
      }
    }
    return placed;
  }

  /** The same on the new node that was pushed last: all others have refused the incoming pod already. */
  placeOnNewest(incoming: IncomingPod, wanted: number): number {
    const newNode = this.newNodes.at(-1);
    let placed = 0;
    while (newNode !== undefined && placed < wanted && addToNewNode(newNode, incoming)) placed++;
    if (newNode !== undefined) this.#update(this.newNodes.length - 1, newNode);
    return placed;
  }

  /** Puts one pod on a new node, which takes on the state; false, and nothing changed, when there is no room for it there. */
  add(number: number, incoming: IncomingPod, state: NodeState): boolean {
    const newNode = this.newNodes[number];
    if (newNode === undefined || this.#growsTooMuch(newNode, incoming, state) || !addInState(newNode, incoming, state)) return false;
    this.#update(number, newNode);
    return true;
  }

  /** The same on a new node that keeps to fewer types from then on. */
  addNarrowing(number: number, incoming: IncomingPod, place: NarrowedPlace): boolean {
    const newNode = this.newNodes[number];
    if (newNode === undefined || !addNarrowing(newNode, incoming, place)) return false;
    this.#update(number, newNode);
    return true;
  }

  /** The fit that `addNarrowing` would lead to; undefined where it would refuse. Changes nothing. */
  fitNarrowing(number: number, incoming: IncomingPod, place: NarrowedPlace): Fit | undefined {
    const newNode = this.newNodes[number];
    const fit = newNode && fitOnTypes(newNode, incoming, place);
    return fit === undefined || newNode?.limits?.allows(fit, newNode.fit) === false ? undefined : fit;
  }

  /** The fit of a new node with one more pod in the state; undefined when there is no room for it there. Changes nothing. */
  fitWith(number: number, incoming: IncomingPod, state: NodeState): Fit | undefined {
    const newNode = this.newNodes[number];
    return newNode === undefined || this.#growsTooMuch(newNode, incoming, state) ? undefined : fitWithPod(newNode, incoming, state);
  }

  /** Whether some type that the new node may have has room for so many more pods. */
  mayHaveRoom(number: number, { resourceIds, amounts }: PodClass, podsAtOnce: number): boolean {
    for (let i = 0; i < resourceIds.length; i++) {
      if (amountAt(itemAt(this.#room, idAt(resourceIds, i)), number) < amountAt(amounts, i) * podsAtOnce) return false;
    }
    return true;
  }

  /** Whether the node would cost too much more with the pod, in the state that the pod leads to if no other is given. */
  #growsTooMuch(newNode: NewNode, incoming: IncomingPod, state?: NodeState): boolean {
    if (this.mostGrowth === Number.POSITIVE_INFINITY) return false;
    const next = state ?? nextState(newNode.fit.state, incoming.term);
    const fit = next && fitWithPod(newNode, incoming, next);
    return fit !== undefined && priceOf(fit) - priceOf(newNode.fit) > this.mostGrowth;
  }

  #grow(): void {
    this.#room.forEach((column, resource) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      this.#room[resource] = larger;
    });
  }

  #update(number: number, newNode: NewNode): void {
    const { fit, used } = newNode;
    this.index?.update(number, newNode);
    for (let resource = 0; resource < this.#room.length; resource++) {
      itemAt(this.#room, resource)[number] = amountAt(fit.most, resource) - amountAt(used, resource);
    }
  }

  /** New nodes where some type might have room; they may refuse the pod all the same. */
  #withRoomFor({ resourceIds, amounts }: PodClass): number[] {
    const columns = Array.from(resourceIds, (resource) => itemAt(this.#room, resource));
    const found: number[] = [];
    for (let number = 0; number < this.newNodes.length; number++) {
      let i = 0;
      while (i < columns.length && amountAt(itemAt(columns, i), number) >= amountAt(amounts, i)) i++;
      if (i === columns.length) found.push(number);
    }
    return found;
  }
}
