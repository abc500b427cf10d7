import { UNSETTLED } from '../../topology/domain-table.ts';
import type { NumberSet } from './number-set.ts';

/** The planned nodes with the same domains for some keys. */
export interface DraftCell {
  readonly number: number;
  /** Key by key, the drafts in the cell's domain: those in all of the sets are in the cell. */
  readonly sets: readonly NumberSet[];
  /** Whether the domain of some key may still be chosen. */
  readonly isOpen: boolean;
  readonly domainOf: (key: number) => number;
}

/** All cells of some keys in which drafts are, were or may be. Kept, because thousands of searches go through them. */
export class DraftCells {
  readonly all: DraftCell[] = [];
  readonly #keys: readonly number[];
  readonly #inDomain: (key: number, domain: number) => NumberSet;
  readonly #known = new Map<string, DraftCell>();
  /** How many domains each key had when the cells were laid out. */
  #laidOut = '';

  constructor(keys: readonly number[], inDomain: (key: number, domain: number) => NumberSet) {
    this.#keys = keys;
    this.#inDomain = inDomain;
  }

  of(domains: readonly number[]): DraftCell {
    const text = domains.join();
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const fresh: DraftCell = {
      number: this.all.length,
      sets: this.#keys.map((key, i) => this.#inDomain(key, domains[i] ?? 0)),
      isOpen: domains.includes(UNSETTLED),
      domainOf: (key) => domains[this.#keys.indexOf(key)] ?? 0,
    };
    this.#known.set(text, fresh);
    this.all.push(fresh);
    return fresh;
  }

  /** Makes the cells of all domains that there are by now. */
  layOut(domainsOf: readonly (readonly number[])[]): void {
    const text = domainsOf.map(({ length }) => length).join();
    if (text === this.#laidOut && this.all.length > 0) return;
    this.#laidOut = text;
    let tuples: readonly (readonly number[])[] = [[]];
    for (const domains of domainsOf) tuples = tuples.flatMap((tuple) => domains.map((domain) => [...tuple, domain]));
    for (const tuple of tuples) this.of(tuple);
  }
}
