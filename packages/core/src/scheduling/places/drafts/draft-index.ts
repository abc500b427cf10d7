import type { DomainTable } from '../../topology/domain-table.ts';
import { DraftCells } from './draft-cells.ts';
import type { Draft } from './draft.ts';
import { NumberSet } from './number-set.ts';

/** Drafts by their number of pods, and by their domain for each key. */
export class DraftIndex {
  readonly #domains: DomainTable;
  readonly #byCount: NumberSet[] = [];
  /** Key → domain → drafts. */
  readonly #byDomain: readonly Map<number, NumberSet>[];
  /** Key → the domains that have or had a draft. */
  readonly #seen: readonly number[][];
  readonly #cells = new Map<string, DraftCells>();
  readonly #counts: number[] = [];
  /** Key → draft → domain. */
  readonly #domainOf: readonly number[][];

  constructor(domains: DomainTable) {
    this.#domains = domains;
    this.#byDomain = domains.keys.map(() => new Map());
    this.#seen = domains.keys.map(() => []);
    this.#domainOf = domains.keys.map(() => []);
  }

  get countLimit(): number {
    return this.#byCount.length;
  }

  withCount(count: number): NumberSet {
    return (this.#byCount[count] ??= new NumberSet());
  }

  inDomain(key: number, domain: number): NumberSet {
    const ofKey = this.#byDomain[key];
    const known = ofKey?.get(domain);
    if (known !== undefined) return known;
    const fresh = new NumberSet();
    ofKey?.set(domain, fresh);
    this.#seen[key]?.push(domain);
    return fresh;
  }

  /** The cells of these keys: one for each combination of domains that have or had a draft. */
  cellsOf(keys: readonly number[]): DraftCells {
    const text = keys.join();
    const cells = this.#cells.get(text) ?? new DraftCells(keys, (key, domain) => this.inDomain(key, domain));
    this.#cells.set(text, cells);
    cells.layOut(keys.map((key) => this.#seen[key] ?? []));
    return cells;
  }

  domainOfDraft(number: number, key: number): number {
    return this.#domainOf[key]?.[number] ?? 0;
  }

  /** Call it when a draft was added or changed. */
  update(number: number, { podCount, fit: { state } }: Draft): void {
    const before = this.#counts[number];
    if (before !== podCount) {
      if (before !== undefined) this.#byCount[before]?.delete(number);
      for (let count = this.#byCount.length; count <= podCount; count++) this.#byCount.push(new NumberSet());
      this.#byCount[podCount]?.add(number);
      this.#counts[number] = podCount;
    }
    for (let key = 0; key < this.#domainOf.length; key++) this.#move(number, key, this.#domains.domainOfState(state, key));
  }

  #move(number: number, key: number, domain: number): void {
    const column = this.#domainOf[key];
    const last = column?.[number];
    if (column === undefined || last === domain) return;
    if (last !== undefined) this.inDomain(key, last).delete(number);
    this.inDomain(key, domain).add(number);
    column[number] = domain;
  }
}
