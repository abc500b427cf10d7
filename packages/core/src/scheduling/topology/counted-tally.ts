/** Domain number → a count. A domain that was never heard of counts zero. */
export interface Tally {
  readonly at: (domain: number) => number;
  readonly add: (domain: number, delta: number) => void;
}

/** A tally that also knows its sum. */
export class CountedTally implements Tally {
  total = 0;
  #counts = new Int32Array(8);

  at(domain: number): number {
    return this.#counts[domain] ?? 0;
  }

  add(domain: number, delta: number): void {
    if (domain >= this.#counts.length) {
      const larger = new Int32Array(Math.max(domain + 1, this.#counts.length * 2));
      larger.set(this.#counts);
      this.#counts = larger;
    }
    this.#counts[domain] = (this.#counts[domain] ?? 0) + delta;
    this.total += delta;
  }
}
