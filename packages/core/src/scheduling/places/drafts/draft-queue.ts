import type { Draft } from './draft.ts';

/** A binary heap over draft numbers: the node with the fewest pods on top, ties by number. */
export class DraftQueue {
  readonly #drafts: readonly Draft[];
  readonly #numbers: number[];

  /** Takes the array of numbers over. */
  constructor(drafts: readonly Draft[], numbers: number[]) {
    this.#drafts = drafts;
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
    const difference = (this.#drafts[a]?.podCount ?? 0) - (this.#drafts[b]?.podCount ?? 0);
    return difference < 0 || (difference === 0 && a < b);
  }

  /** The better child of a place, or the place itself when neither is better. */
  #better(at: number): number {
    const numbers = this.#numbers;
    const left = 2 * at + 1;
    const right = left + 1;
    let best = at;
    if (left < numbers.length && this.#isBefore(numbers[left] ?? 0, numbers[best] ?? 0)) best = left;
    if (right < numbers.length && this.#isBefore(numbers[right] ?? 0, numbers[best] ?? 0)) best = right;
    return best;
  }

  #sink(start: number): void {
    const numbers = this.#numbers;
    let at = start;
    for (let child = this.#better(at); child !== at; child = this.#better(at)) {
      const moving = numbers[at] ?? 0;
      numbers[at] = numbers[child] ?? 0;
      numbers[child] = moving;
      at = child;
    }
  }
}
