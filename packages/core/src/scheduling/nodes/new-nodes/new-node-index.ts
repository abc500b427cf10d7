import { getOrMake, itemAt, wordAt } from '../../../base/index.ts';
import { UNSETTLED } from '../../topology/domain-table.ts';
import type { DomainTable } from '../../topology/domain-table.ts';
import type { NewNode } from './new-node.ts';

/** A set of small integers that grows as it must. */
export class NumberSet {
  size = 0;
  /** 32 members to a word; grows as it must. */
  words = new Uint32Array(4);

  add(number: number): void {
    const index = number >>> 5;
    if (index >= this.words.length) {
      const larger = new Uint32Array(Math.max(index + 1, this.words.length * 2));
      larger.set(this.words);
      this.words = larger;
    }
    const { words } = this;
    const bit = 1 << (number & 31);
    const word = wordAt(words, index);
    if ((word & bit) !== 0) return;
    words[index] = word | bit;
    this.size++;
  }

  delete(number: number): void {
    const { words } = this;
    const index = number >>> 5;
    const bit = 1 << (number & 31);
    const word = index < words.length ? wordAt(words, index) : 0;
    if ((word & bit) === 0) return;
    words[index] = word & ~bit;
    this.size--;
  }
}

const newNumberSet = (): NumberSet => new NumberSet();

/** The members that all of the others have as well. A set is read within its length only: to read beyond it is slow. */
const keepCommon = (word: number, others: readonly NumberSet[], index: number): number => {
  let bits = word;
  for (let i = 0; i < others.length && bits !== 0; i++) {
    const { words } = itemAt(others, i);
    bits &= index < words.length ? wordAt(words, index) : 0;
  }
  return bits;
};

/** The smallest number from `from` on that is in all of the sets; -1 when there is none. */
export const nextInAll = ({ words }: NumberSet, others: readonly NumberSet[], from: number): number => {
  let mask = 0xffffffff << (from & 31);
  for (let index = from >>> 5; index < words.length; index++) {
    const bits = keepCommon(wordAt(words, index) & mask, others, index);
    if (bits !== 0) return (index << 5) + 31 - Math.clz32(bits & -bits);
    mask = -1;
  }
  return -1;
};

/** The new nodes with the same domains for some keys. */
export interface NewNodeCell {
  readonly number: number;
  /** Key by key, the new nodes in the cell's domain: those in all of the sets are in the cell. */
  readonly sets: readonly NumberSet[];
  /** Whether the domain of some key may still be chosen. */
  readonly isOpen: boolean;
  readonly domainOf: (key: number) => number;
}

/** The keys of a map, or a set. */
interface Domains {
  readonly size: number;
  keys(): Iterable<number>;
}

/** All cells of some keys in which new nodes are, were or may be. Kept, because thousands of searches go through them. */
export class NewNodeCells {
  readonly all: NewNodeCell[] = [];
  readonly #keys: readonly number[];
  readonly #inDomain: (key: number, domain: number) => NumberSet;
  readonly #known = new Map<string, NewNodeCell>();
  /** How many domains each key had when the cells were laid out. */
  #laidOut = '';

  constructor(keys: readonly number[], inDomain: (key: number, domain: number) => NumberSet) {
    this.#keys = keys;
    this.#inDomain = inDomain;
  }

  of(domains: readonly number[]): NewNodeCell {
    return getOrMake(this.#known, domains.join(), () => this.#add(domains));
  }

  #add(domains: readonly number[]): NewNodeCell {
    const cell: NewNodeCell = {
      number: this.all.length,
      sets: this.#keys.map((key, i) => this.#inDomain(key, itemAt(domains, i))),
      isOpen: domains.includes(UNSETTLED),
      domainOf: (key) => itemAt(domains, this.#keys.indexOf(key)),
    };
    this.all.push(cell);
    return cell;
  }

  /** Makes the cells of all domains that there are by now, key by key. */
  layOut(domainsOf: readonly Domains[]): void {
    const text = domainsOf.map(({ size }) => size).join();
    if (text === this.#laidOut && this.all.length > 0) return;
    this.#laidOut = text;
    let tuples: readonly (readonly number[])[] = [[]];
    for (const domains of domainsOf) tuples = tuples.flatMap((tuple) => Array.from(domains.keys(), (domain) => [...tuple, domain]));
    for (const tuple of tuples) this.of(tuple);
  }
}

/** New nodes by their number of pods, and by their domain for each key. */
export class NewNodeIndex {
  readonly #domains: DomainTable;
  readonly #byCount: NumberSet[] = [];
  /** Key → each domain that has or had a new node → new nodes. */
  readonly #byDomain: readonly Map<number, NumberSet>[];
  readonly #cells = new Map<string, NewNodeCells>();
  readonly #counts: number[] = [];
  /** Key → new node → domain. */
  readonly #domainOf: readonly number[][];

  constructor(domains: DomainTable) {
    this.#domains = domains;
    this.#byDomain = domains.keys.map(() => new Map());
    this.#domainOf = domains.keys.map(() => []);
  }

  get countLimit(): number {
    return this.#byCount.length;
  }

  withCount(count: number): NumberSet {
    return (this.#byCount[count] ??= new NumberSet());
  }

  inDomain(key: number, domain: number): NumberSet {
    return getOrMake(itemAt(this.#byDomain, key), domain, newNumberSet);
  }

  /** The cells of these keys: one for each combination of domains that have or had a new node. */
  cellsOf(keys: readonly number[]): NewNodeCells {
    const text = keys.join();
    const cells = getOrMake(this.#cells, text, () => new NewNodeCells(keys, (key, domain) => this.inDomain(key, domain)));
    cells.layOut(keys.map((key) => itemAt(this.#byDomain, key)));
    return cells;
  }

  domainOfNewNode(number: number, key: number): number {
    return itemAt(itemAt(this.#domainOf, key), number);
  }

  /** Call it when a new node was added or changed. */
  update(number: number, { podCount, fit: { state } }: NewNode): void {
    const before = this.#counts[number];
    if (before !== podCount) {
      if (before !== undefined) itemAt(this.#byCount, before).delete(number);
      for (let count = this.#byCount.length; count <= podCount; count++) this.#byCount.push(new NumberSet());
      itemAt(this.#byCount, podCount).add(number);
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
