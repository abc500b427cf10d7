import { identities } from '../../base/index.ts';
import type { Demand } from '../classes/demand.ts';
import type { Draft } from '../places/drafts/draft.ts';
import { nodeCost, priceOf } from './node-cost.ts';
import type { Parcel } from './parcel.ts';
import type { RepackGroup } from './repack-group.ts';

/** What the packing of a group depends on. */
export interface RepackInput {
  readonly repackGroup: RepackGroup;
  readonly parcels: readonly Parcel[];
  /** How often a parcel may be looked at. */
  readonly looks: number;
  /** The other nodes; empty where limits do not read them. */
  readonly others: readonly Draft[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Compares number by number; a list that ends first comes first. */
const byNumbers = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? Number.NEGATIVE_INFINITY) - (b[at] ?? Number.NEGATIVE_INFINITY);
};

/**
 * Packings of one question. The variants that a small plan is searched by mostly differ in one domain: what they put in
 * the others was packed before.
 */
export class RepackMemory {
  readonly #numberOf = identities();
  readonly #known = new Map<string, readonly Draft[] | 'kept'>();

  constructor(demands: readonly Demand[]) {
    for (const { podClass } of demands) this.#numberOf(podClass);
  }

  /**
   * The parcels in the order of the question's pod groups, whatever order the variant placed them in: most variants
   * differ in nothing else.
   */
  inOrder(parcels: readonly Parcel[]): readonly Parcel[] {
    const numbered = parcels.map((parcel) => ({ parcel, numbers: [this.#numberOf(parcel.podClass), ...this.#placingOf(parcel)] }));
    return numbered.sort((a, b) => byNumbers(a.numbers, b.numbers)).map(({ parcel }) => parcel);
  }

  /** How the pods were placed, in numbers. */
  #placingOf({ rungs, checks }: Parcel): readonly number[] {
    return [...rungs, ...(checks === undefined ? [] : [checks])].map((each) => this.#numberOf(each));
  }

  /** Equal inputs have equal keys. */
  keyOf({ repackGroup, parcels, looks, others }: RepackInput): string {
    const { start, signature, drafts } = repackGroup;
    const costs = [sum(drafts.map(({ fit }) => priceOf(fit))), sum(drafts.map(({ fit }) => nodeCost(fit)))];
    const pods = parcels.map((parcel) => `${parcel.podClass.id}x${parcel.count}:${this.#placingOf(parcel).join('.')}`);
    const around = others.map(({ fit }) => this.#numberOf(fit));
    return [this.#numberOf(start), looks, ...costs, pods.join(), around.join('.'), signature].join(' ');
  }

  /**
   * The nodes that replace those of the group: the group's own where none were cheaper. Undefined when it was not
   * packed before.
   */
  recall(key: string, drafts: readonly Draft[]): readonly Draft[] | undefined {
    const known = this.#known.get(key);
    return known === 'kept' ? drafts : known;
  }

  remember(key: string, packed: readonly Draft[], drafts: readonly Draft[]): void {
    this.#known.set(key, packed === drafts ? 'kept' : packed);
  }
}
