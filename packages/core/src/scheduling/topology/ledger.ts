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

/** What can be added to, and so can be undone. */
type Undoable = Pick<Tally, 'add'>;

/** Changes of tallies, kept so that all of them can be undone. */
export class Ledger {
  readonly #tallies: Undoable[] = [];
  readonly #domains: number[] = [];
  readonly #deltas: number[] = [];

  add(tally: Undoable, domain: number, delta: number): void {
    tally.add(domain, delta);
    this.#tallies.push(tally);
    this.#domains.push(domain);
    this.#deltas.push(delta);
  }

  /** Costs what was done. */
  undo(): void {
    for (let i = this.#tallies.length - 1; i >= 0; i--) this.#tallies[i]?.add(this.#domains[i] ?? 0, -(this.#deltas[i] ?? 0));
    this.forget();
  }

  /** What was done so far stays. */
  forget(): void {
    this.#tallies.length = 0;
    this.#domains.length = 0;
    this.#deltas.length = 0;
  }
}
