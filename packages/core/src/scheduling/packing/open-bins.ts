import { amountAt, idAt, itemAt } from '../../base/index.ts';
import type { PodBatch } from './pod-batch.ts';

/** The score of a bin that does not take a pod. */
export const REFUSED = -1;

/** What is free in bins, and what they had: bin by bin in one array, of the resources that some batch requests. */
export class BinRooms {
  readonly #resources: readonly number[];
  readonly #free: Float64Array;
  readonly #whole: Float64Array;

  /** `most`: bins at a time. */
  constructor(batches: readonly PodBatch[], most: number) {
    this.#resources = [...new Set(batches.flatMap(({ resourceIds }) => [...resourceIds]))].sort((a, b) => a - b);
    this.#free = new Float64Array(this.#resources.length * most);
    this.#whole = new Float64Array(this.#resources.length * most);
  }

  /** For each resource of a batch, where it stands among those of a bin. */
  placesOf({ resourceIds }: PodBatch): Int32Array {
    return resourceIds.map((resource) => this.#resources.indexOf(resource));
  }

  /** The bin is empty and has these amounts. */
  empty(bin: number, amounts: Float64Array): void {
    const start = bin * this.#resources.length;
    for (let place = 0; place < this.#resources.length; place++) {
      const amount = amountAt(amounts, itemAt(this.#resources, place));
      this.#free[start + place] = amount;
      this.#whole[start + place] = amount;
    }
  }

  /**
   * The share of the bin that one more pod would leave of the scarcest resource that it wants; `REFUSED` where there is
   * too little of one.
   */
  leastShareLeft(bin: number, places: Int32Array, amounts: Float64Array): number {
    const start = bin * this.#resources.length;
    let least = 1;
    for (let i = 0; i < places.length; i++) {
      const cell = start + idAt(places, i);
      const left = amountAt(this.#free, cell) - amountAt(amounts, i);
      if (left < 0) return REFUSED;
      const share = left / amountAt(this.#whole, cell);
      if (share < least) least = share;
    }
    return least;
  }

  take(bin: number, places: Int32Array, amounts: Float64Array): void {
    const start = bin * this.#resources.length;
    for (let i = 0; i < places.length; i++) {
      const cell = start + idAt(places, i);
      this.#free[cell] = amountAt(this.#free, cell) - amountAt(amounts, i);
    }
  }

  /** Resource → what the pods in the bin take, for so many resources. */
  usedOf(bin: number, resourceCount: number): Float64Array {
    const start = bin * this.#resources.length;
    const used = new Float64Array(resourceCount);
    this.#resources.forEach((resource, place) => {
      used[resource] = amountAt(this.#whole, start + place) - amountAt(this.#free, start + place);
    });
    return used;
  }
}

/**
 * Bins that take one more pod of a batch, as a heap: the highest score first, of equal ones the first bin. Placing a pod
 * changes the score of the first bin only.
 */
export class OpenBins {
  readonly #bins: Int32Array;
  readonly #scores: Float64Array;
  #size = 0;

  /** `most`: bins at a time. */
  constructor(most: number) {
    this.#bins = new Int32Array(most);
    this.#scores = new Float64Array(most);
  }

  clear(): void {
    this.#size = 0;
  }

  /** Adds a bin, out of order until `sort` is called. */
  push(bin: number, score: number): void {
    this.#bins[this.#size] = bin;
    this.#scores[this.#size] = score;
    this.#size++;
  }

  sort(): void {
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** The bin with the highest score; -1 when there is none. */
  get first(): number {
    return this.#size === 0 ? -1 : idAt(this.#bins, 0);
  }

  /** Gives the first bin another score, or takes it away when it is `REFUSED`. */
  rescoreFirst(score: number): void {
    if (score === REFUSED) {
      this.#size--;
      this.#bins[0] = idAt(this.#bins, this.#size);
      this.#scores[0] = amountAt(this.#scores, this.#size);
    } else this.#scores[0] = score;
    this.#sink(0);
  }

  #sink(from: number): void {
    const [bins, scores, size] = [this.#bins, this.#scores, this.#size];
    if (from >= size) return;
    const [bin, score] = [idAt(bins, from), amountAt(scores, from)];
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#isBefore(child + 1, amountAt(scores, child), idAt(bins, child))) child++;
      if (!this.#isBefore(child, score, bin)) break;
      bins[at] = idAt(bins, child);
      scores[at] = amountAt(scores, child);
      at = child;
    }
    bins[at] = bin;
    scores[at] = score;
  }

  #isBefore(at: number, score: number, bin: number): boolean {
    const own = amountAt(this.#scores, at);
    return own > score || (own === score && idAt(this.#bins, at) < bin);
  }
}
