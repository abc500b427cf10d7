import { CountedTally } from './counted-tally.ts';
import type { Tally } from './counted-tally.ts';

/**
 * A tally that knows the least count of its eligible domains: what Kubernetes calls the global minimum of a spread. It
 * keeps counts of counts, so that each change costs O(1).
 */
export class GlobalMinimum implements Tally {
  /** How many domains are eligible. */
  eligibleDomains = 0;
  readonly #counts = new CountedTally();
  /** Domain → how many reasons make it eligible: templates that may launch there, nodes that are there. */
  readonly #reasons = new CountedTally();
  /** Count → how many eligible domains have it. */
  readonly #domainsWith = new CountedTally();
  #least = 0;

  /** The least count of any eligible domain; 0 when there is none. */
  get least(): number {
    if (this.eligibleDomains === 0) return 0;
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

  /** Adds reasons for the domain to be eligible, or takes them away. */
  addReason(domain: number, delta: number): void {
    const before = this.#reasons.at(domain);
    this.#reasons.add(domain, delta);
    const isEligible = before + delta > 0;
    if (before > 0 === isEligible) return;
    this.eligibleDomains += isEligible ? 1 : -1;
    if (isEligible) this.#enter(this.#counts.at(domain));
    else this.#domainsWith.add(this.#counts.at(domain), -1);
  }

  #enter(count: number): void {
    this.#domainsWith.add(count, 1);
    if (count < this.#least) this.#least = count;
  }
}
