import type { Tally } from './counted-tally.ts';

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
