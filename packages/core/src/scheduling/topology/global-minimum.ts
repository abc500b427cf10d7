import { Counter } from './counter.ts';
import type { Tally } from './counter.ts';

/** A tally over the domains that are open, with their least count at hand: counts of counts, so that keeping it is O(1) a step. */
export class FloorCounter implements Tally {
  /** How many domains are open. */
  openDomains = 0;
  readonly #counts = new Counter();
  /** Domain → how many reasons there are for it to be open: pools that may launch there, nodes that are there. */
  readonly #reasons = new Counter();
  /** Count → how many open domains have it. */
  readonly #domainsWith = new Counter();
  #least = 0;

  /** The least count of any open domain; 0 when none is. */
  get least(): number {
    if (this.openDomains === 0) return 0;
    while (this.#domainsWith.at(this.#least) === 0) this.#least++;
    return this.#least;
  }

  at(domain: number): number {
    return this.#counts.at(domain);
  }

  add(domain: number, delta: number): void {
    const before = this.#counts.at(domain);
    this.#counts.add(domain, delta);
    if (this.#reasons.at(domain) === 0) return;
    this.#domainsWith.add(before, -1);
    this.#enter(before + delta);
  }

  /** Gives the domain one more reason to be open, or takes one away. */
  support(domain: number, delta: number): void {
    const before = this.#reasons.at(domain);
    this.#reasons.add(domain, delta);
    const isOpen = before + delta > 0;
    if (before > 0 === isOpen) return;
    this.openDomains += isOpen ? 1 : -1;
    if (isOpen) this.#enter(this.#counts.at(domain));
    else this.#domainsWith.add(this.#counts.at(domain), -1);
  }

  #enter(count: number): void {
    this.#domainsWith.add(count, 1);
    if (count < this.#least) this.#least = count;
  }
}
