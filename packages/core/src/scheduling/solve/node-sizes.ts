import { amountAt, getOrMake, lowestOf, ROUNDING } from '../../base/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';

/** How many pods that claim the same devices a node of some type takes, and what it costs. */
export interface NodeSize {
  readonly pods: number;
  readonly costPerHour: number;
}

/** Of more pods than these, the first go on nodes that cost least for each pod. */
const MOST_COMBINED = 2000;

const costOfPod = ({ pods, costPerHour }: NodeSize): number => costPerHour / pods;

/** Number of pods → the size of one node among those that together cost least and take so many. */
const combined = (sizes: readonly NodeSize[], most: number): Uint32Array => {
  const costs = new Float64Array(most + 1);
  const chosen = new Uint32Array(most + 1);
  for (let count = 1; count <= most; count++) {
    costs[count] = Number.POSITIVE_INFINITY;
    for (const { pods, costPerHour } of sizes) {
      const cost = costPerHour + amountAt(costs, Math.max(0, count - pods));
      if (cost >= amountAt(costs, count) - ROUNDING) continue;
      costs[count] = cost;
      chosen[count] = pods;
    }
  }
  return chosen;
};

/**
 * Returns how many pods the next node takes while so many are left, so that all nodes together cost least: exact up to
 * `MOST_COMBINED` pods. `sizes` holds at least one.
 */
const cheapestSizes = (sizes: readonly NodeSize[], pods: number): ((left: number) => number) => {
  // Of equal costs the larger nodes: each is one node less.
  const ordered = sizes.toSorted((a, b) => b.pods - a.pods);
  const best = ordered.reduce((found, each) => (costOfPod(each) < costOfPod(found) - ROUNDING ? each : found));
  const chosen = combined(ordered, Math.min(pods, MOST_COMBINED));
  return (left) => chosen[left] ?? best.pods;
};

/** How many pods of a kind are still to be placed. */
interface PodsLeft {
  count: number;
}

/** Pods that claim the same and go on nodes with the same requirements: how many of them each new node takes. */
export class SizedPods {
  readonly #left: PodsLeft;
  #next: ((left: number) => number) | undefined;
  /** New node → how many more of the pods it takes. Only nodes that were opened for them. */
  readonly #room = new Map<number, number>();
  /** New node → how many pods it had when one more was too dear. */
  readonly #refused = new Map<number, number>();
  #leastCostOfPod = Number.POSITIVE_INFINITY;

  constructor(left: PodsLeft) {
    this.#left = left;
  }

  get left(): number {
    return this.#left.count;
  }

  get isMeasured(): boolean {
    return this.#next !== undefined;
  }

  /** Takes the sizes that new nodes can have. Without any, nodes grow as far as types hold the pods. */
  measure(sizes: readonly NodeSize[]): void {
    this.#next = sizes.length === 0 ? () => Number.POSITIVE_INFINITY : cheapestSizes(sizes, this.left);
    if (sizes.length > 0) this.#leastCostOfPod = lowestOf(sizes.map(costOfPod));
  }

  /** Whether one more pod may be tried on the node, which has so many pods now. */
  mayJoin(node: number, podCount: number): boolean {
    return this.#room.get(node) !== 0 && this.#refused.get(node) !== podCount;
  }

  /**
   * By how much one more pod may raise the price of the node, in dollars an hour: at most its share of a node of its
   * own.
   */
  mostGrowth(node: number): number {
    return this.#room.has(node) ? Number.POSITIVE_INFINITY : this.#leastCostOfPod;
  }

  refuse(node: number, podCount: number): void {
    this.#refused.set(node, podCount);
  }

  /** A new node has its first pod. */
  open(node: number): void {
    this.#room.set(node, this.#next?.(this.left) ?? Number.POSITIVE_INFINITY);
    this.place(node);
  }

  /** One of the pods has a place: on a new node, or on an existing one. */
  place(node?: number): void {
    this.#left.count = Math.max(0, this.left - 1);
    const room = node === undefined ? undefined : this.#room.get(node);
    if (node !== undefined && room !== undefined) this.#room.set(node, Math.max(0, room - 1));
  }
}

/** Equal for pods that claim the same and may go on the same nodes. Undefined: other pods share their claims. */
const keyOf = ({ devices, terms: [first] }: PodClass): string | undefined =>
  devices === undefined || devices.isTied || first === undefined ? undefined : `${devices.text}\n${requirementsText(first.requirements)}`;

/** How many pods the nodes of one solve take that are opened for pods with device claims, at the least cost. */
export class NodeSizes {
  readonly #left = new Map<string, PodsLeft>();
  readonly #sized = new Map<string, SizedPods>();

  constructor(podSets: readonly PodSet[]) {
    for (const { podClass, pods } of podSets) {
      const key = keyOf(podClass);
      if (key !== undefined) getOrMake(this.#left, key, () => ({ count: 0 })).count += pods.length;
    }
  }

  /** Those of the class, on nodes with the requirements of a term. */
  of(podClass: PodClass, { requirements }: NodeTerm): SizedPods | undefined {
    const key = keyOf(podClass);
    const left = key === undefined ? undefined : this.#left.get(key);
    if (key === undefined || left === undefined) return undefined;
    const text = `${key}\n${requirementsText(requirements)}`;
    return getOrMake(this.#sized, text, () => new SizedPods(left));
  }
}
