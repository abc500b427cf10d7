import { amountAt, getOrMake, hasBit, idAt, itemAt, memoByObject } from '../../base/index.ts';
import type { Requirement } from '../../requirements/index.ts';
import { firstRefusal } from '../topology/group.ts';
import type { CheckList, Checks } from '../topology/group.ts';
import { ABSENT } from '../topology/domain-table.ts';
import type { DomainTable, Settlement, Settling } from '../topology/domain-table.ts';
import { priceOf } from '../packing/unit-prices.ts';
import type { AllowedTypes, Fit, NodeState, NodeTemplate } from './node-model.ts';
import { remainderOf, SEVERAL, narrowedState } from './node-state.ts';

/** Instead of a pod count. */
const REFUSED = -1;
const UNREAD = -2;

const isEmptyList = ({ antiAffinity, spreads, affinity }: CheckList): boolean =>
  antiAffinity.length === 0 && spreads.length === 0 && affinity.length === 0;

/** What the wide checks read of each of their keys. */
const listsByKey = memoByObject(({ keys, wide }: Checks): readonly CheckList[] =>
  keys.map((key) => ({
    antiAffinity: wide.antiAffinity.filter((group) => group.key === key),
    spreads: wide.spreads.filter(({ group }) => group.key === key),
    affinity: wide.affinity.flatMap((join) => {
      const groups = join.groups.filter((group) => group.key === key);
      return groups.length === 0 ? [] : [{ ...join, groups }];
    }),
  })),
);

const isUncounted = ({ antiAffinity, spreads, affinity }: CheckList): boolean =>
  affinity.length === 0 &&
  antiAffinity.every(({ counter }) => counter.total === 0) &&
  spreads.every(({ group }) => group.counter.total === 0);

/** How many pods the spreads count in the domain: the fewer, the better a pod there spreads. `REFUSED`: none may go there. */
const podCountIn = (domain: number, list: CheckList): number =>
  firstRefusal(list, () => domain) === undefined ? list.spreads.reduce((sum, { group }) => sum + group.counter.at(domain), 0) : REFUSED;

/** The ways to settle one more key than before, in order. */
interface Level {
  readonly settlements: readonly Settlement[];
  /** Of each, the number of the way to settle the keys before. */
  readonly before: readonly number[];
}

const levelAfter = (state: NodeState, before: readonly Settlement[], settle: (settling: Settling) => readonly Settlement[]): Level => {
  const level = { settlements: [] as Settlement[], before: [] as number[] };
  for (const [index, { left }] of before.entries()) {
    for (const settlement of settle({ state, left })) {
      level.settlements.push(settlement);
      level.before.push(index);
    }
  }
  return level;
};

const levelsOf = (state: NodeState, keys: readonly number[], table: DomainTable): readonly Level[] => {
  const left = remainderOf(state);
  let before: readonly Settlement[] = left === undefined ? [] : [{ left, domain: ABSENT, requirement: undefined }];
  return keys.map((key) => {
    const level = levelAfter(state, before, (settling) => table.settlements(settling, key));
    before = level.settlements;
    return level;
  });
};

/** Level by level, the number of the settlement that each way takes. */
const settlementsOf = (levels: readonly Level[], count: number): readonly Int32Array[] => {
  const all = levels.map(() => new Int32Array(count));
  for (let index = 0; index < count; index++) {
    let at = index;
    for (let level = levels.length - 1; level >= 0; level--) {
      itemAt(all, level)[index] = at;
      at = itemAt(itemAt(levels, level).before, at);
    }
  }
  return all;
};

/** The numbers in the order of their offerings, then their own. */
const byOffering = (offerings: Int32Array): Int32Array => {
  const { length } = offerings;
  const keys = new Float64Array(length);
  for (let index = 0; index < length; index++) keys[index] = idAt(offerings, index) * length + index;
  return Int32Array.from(keys.sort(), (key) => key % length);
};

/** What states are ranked by. */
export interface Ranking {
  readonly checks: Checks;
  readonly domains: DomainTable;
}

/** What the pods of a node take, resource by resource, and the types that the node may have. */
interface NodeLoad {
  readonly used: Float64Array;
  readonly allowedTypes: AllowedTypes;
}

/** Whether the type has room for the load. `fitOf` may ask for more. */
const mayCarry = ({ columns }: NodeTemplate, type: number, { used, allowedTypes }: NodeLoad): boolean => {
  if (!hasBit(allowedTypes.types, type)) return false;
  for (const [resource, { amounts, uniform }] of columns.entries())
    if (amountAt(used, resource) > (uniform ?? amountAt(amounts, type))) return false;
  return true;
};

/** How a load is tried in a state. */
export interface LoadFitter {
  readonly load: NodeLoad;
  readonly fitIn: (state: NodeState) => Fit | undefined;
}

/** A state that has a fit. */
interface Tried {
  readonly state: NodeState;
  readonly price: number;
  readonly index: number;
}

type Position = Pick<Tried, 'price' | 'index'>;

const isBefore = (one: Position, other: Position | undefined): boolean =>
  other === undefined || one.price < other.price || (one.price === other.price && one.index < other.index);

/**
 * The states that settle some keys of a state, each perhaps as missing: thousands where a key has a domain for each
 * instance type. Each state is made when it is first tried. Their order is that of their keys; of a key the domain with
 * the cheapest machine comes first.
 */
class SettledStates {
  readonly count: number;
  readonly #state: NodeState;
  /** Key by key, the domain of each. */
  readonly #domains: readonly Int32Array[];
  /** Key by key, the highest number of a domain. */
  readonly #highest: readonly number[];
  /** Key by key, whether all have the label. */
  readonly #isLabelled: readonly boolean[];
  /** Key by key, what each way to settle it requires. */
  readonly #requirements: readonly (readonly (Requirement | undefined)[])[];
  /** Key by key, which of these each takes. */
  readonly #taken: readonly Int32Array[];
  readonly #made: (NodeState | 'none' | undefined)[] = [];
  /** The number of the cheapest offering of each. */
  readonly #cheapest: Int32Array;
  readonly #onlyTypes: Int32Array;
  /** All of them, the one with the cheapest offering first. */
  readonly #byPrice: Int32Array;

  constructor(state: NodeState, keys: readonly number[], table: DomainTable) {
    const levels = levelsOf(state, keys, table);
    const last = levels.at(-1)?.settlements ?? [];
    this.#state = state;
    this.count = last.length;
    const taken = settlementsOf(levels, this.count);
    this.#domains = levels.map(({ settlements }, level) => itemAt(taken, level).map((number) => itemAt(settlements, number).domain));
    this.#requirements = levels.map(({ settlements }) => settlements.map(({ requirement }) => requirement));
    this.#taken = taken;
    this.#highest = this.#domains.map((column) => column.reduce((most, each) => Math.max(most, each), ABSENT));
    this.#isLabelled = this.#domains.map((column) => !column.includes(ABSENT));
    this.#cheapest = new Int32Array(this.count);
    this.#onlyTypes = new Int32Array(this.count);
    for (const [index, { left }] of last.entries()) {
      this.#cheapest[index] = left.cheapest;
      this.#onlyTypes[index] = left.onlyType;
    }
    this.#byPrice = byOffering(this.#cheapest);
  }

  /** The state of a number. Undefined where a NodeClaim could not say all that it requires. */
  at(index: number): NodeState | undefined {
    const made = (this.#made[index] ??= this.#makeAt(index) ?? 'none');
    return made === 'none' ? undefined : made;
  }

  #makeAt(index: number): NodeState | undefined {
    const requirements = this.#requirements.flatMap((ofKey, level) => ofKey[idAt(itemAt(this.#taken, level), index)] ?? []);
    return requirements.length === 0 ? this.#state : narrowedState(this.#state, requirements);
  }

  isAllowed(index: number, { keys, wide }: Checks): boolean {
    return firstRefusal(wide, (key) => idAt(itemAt(this.#domains, keys.indexOf(key)), index)) === undefined;
  }

  /** How many pods the spreads count where the state is, for each that the checks allow, in their order; else `REFUSED`. */
  podCounts({ checks, domains: { order } }: Ranking): Int32Array {
    const podCounts = new Int32Array(this.count);
    for (const [position, list] of listsByKey(checks).entries()) if (!isEmptyList(list)) this.#addCounts(podCounts, position, list);
    return order === 'cheapest' ? podCounts.map((count) => Math.min(count, 0)) : podCounts;
  }

  #addCounts(podCounts: Int32Array, position: number, list: CheckList): void {
    const domains = itemAt(this.#domains, position);
    // Where nothing is counted yet, all domains are alike.
    if (isUncounted(list) && itemAt(this.#isLabelled, position)) {
      if (podCountIn(0, list) === REFUSED) podCounts.fill(REFUSED);
      return;
    }
    const known = new Int32Array(itemAt(this.#highest, position) - ABSENT + 1).fill(UNREAD);
    for (let index = 0; index < podCounts.length; index++) {
      if (podCounts[index] === REFUSED) continue;
      const domain = idAt(domains, index);
      if (known[domain - ABSENT] === UNREAD) known[domain - ABSENT] = podCountIn(domain, list);
      const count = idAt(known, domain - ABSENT);
      podCounts[index] = count === REFUSED ? REFUSED : idAt(podCounts, index) + count;
    }
  }

  /**
   * The state with a fit that costs least, of those in which the spreads count so many pods; of equals the first. No fit
   * costs less than the cheapest offering of its state.
   */
  cheapest({ podCounts, least }: { readonly podCounts: Int32Array; readonly least: number }, fitter: LoadFitter): NodeState | undefined {
    let best: Tried | undefined;
    for (const index of this.#byPrice) {
      if (podCounts[index] !== least || !this.#mayCarry(index, fitter.load)) continue;
      const price = this.#leastPriceAt(index);
      if (best !== undefined && price > best.price) break;
      if (isBefore({ price, index }, best)) best = this.#try(index, fitter, best) ?? best;
    }
    return best?.state;
  }

  /** Undefined where the state is no better. */
  #try(index: number, { fitIn }: LoadFitter, best: Tried | undefined): Tried | undefined {
    const state = this.at(index);
    const fit = state && fitIn(state);
    if (state === undefined || fit === undefined) return undefined;
    const tried = { state, price: priceOf(fit), index };
    return isBefore(tried, best) ? tried : undefined;
  }

  #leastPriceAt(index: number): number {
    const { catalog, nodePricePerHour } = this.#state.template;
    return itemAt(catalog.offerings, idAt(this.#cheapest, index)).pricePerHour + nodePricePerHour;
  }

  #mayCarry(index: number, load: NodeLoad): boolean {
    const type = idAt(this.#onlyTypes, index);
    return type === SEVERAL || mayCarry(this.#state.template, type, load);
  }
}

/** So many states are remembered as numbers, about a hundred bytes each. Pods with requirements of their own lead to ever more. */
const MOST_REMEMBERED = 300_000;

/** The settled states of one table, by the keys that are settled. */
class KnownStates {
  readonly #table: DomainTable;
  readonly #known = new Map<string, Map<NodeState, SettledStates>>();
  #count = 0;

  constructor(table: DomainTable) {
    this.#table = table;
  }

  of(state: NodeState, keys: readonly number[]): SettledStates {
    if (this.#count > MOST_REMEMBERED) {
      this.#count = 0;
      this.#known.clear();
    }
    const ofKeys = getOrMake(this.#known, keys.join(), () => new Map<NodeState, SettledStates>());
    return getOrMake(ofKeys, state, () => {
      const made = new SettledStates(state, keys, this.#table);
      this.#count += made.count;
      return made;
    });
  }
}

const knownStates = memoByObject((table: DomainTable) => new KnownStates(table));

const NO_RANK = 2 ** 31;

/** The least pod count above this one; `NO_RANK` where there is none. */
const nextRank = (podCounts: Int32Array, after: number): number => {
  let least = NO_RANK;
  for (const count of podCounts) if (count > after && count < least) least = count;
  return least;
};

/**
 * The states that settle every key that the checks read, perhaps as missing, and that the checks allow. Order: the
 * emptiest domain (unless `domains.order` is `cheapest`), then the one with the cheapest machine.
 */
export function* settledStates(state: NodeState, ranking: Ranking): Iterable<NodeState> {
  const { checks, domains } = ranking;
  if (checks.keys.length === 0) yield state;
  const states = knownStates(domains).of(state, checks.keys);
  const podCounts = states.podCounts(ranking);
  for (let rank = nextRank(podCounts, REFUSED); rank < NO_RANK; rank = nextRank(podCounts, rank)) {
    for (let index = 0; index < podCounts.length; index++) {
      const settled = podCounts[index] === rank ? states.at(index) : undefined;
      if (settled !== undefined) yield settled;
    }
  }
}

/**
 * The best of these states for a load: of the equally good ones that come first the one with the cheapest fit. Where
 * there is only one state its fit is not asked for. Called for every pod that comes to a new node, where mostly all
 * is settled and nothing has to be made.
 */
export const bestState = (state: NodeState, ranking: Ranking, fitter: () => LoadFitter): NodeState | undefined => {
  const { checks, domains } = ranking;
  if (checks.keys.length === 0) return state;
  const states = knownStates(domains).of(state, checks.keys);
  if (states.count === 1) return states.isAllowed(0, checks) ? states.at(0) : undefined;
  const podCounts = states.podCounts(ranking);
  const made = fitter();
  for (let least = nextRank(podCounts, REFUSED); least < NO_RANK; least = nextRank(podCounts, least)) {
    const found = states.cheapest({ podCounts, least }, made);
    if (found !== undefined) return found;
  }
  return undefined;
};
