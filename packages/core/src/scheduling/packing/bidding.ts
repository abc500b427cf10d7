import { fitOf } from '../places/fit.ts';
import type { Allowance, Fit } from '../places/fit.ts';
import type { NodeState } from '../places/node-state.ts';
import { Filler } from './fill.ts';
import type { Load, Remaining } from './fill.ts';
import { nodeCost } from './node-cost.ts';
import { unitPrices, worthOf } from './unit-prices.ts';
import type { Ware } from './unit-prices.ts';
import { marketOf, shortlistOf } from './market.ts';
import type { Market } from './market.ts';

/** A load with the types that can carry it, and what it costs for each dollar that it is worth. */
export interface Bid {
  readonly load: Load;
  readonly fit: Fit;
  readonly ware: Ware;
  readonly ratio: number;
}

/** How one greedy packing goes about it. */
export interface Manner {
  readonly allowance: Allowance;
  /** Nodes of fewer cpus are bought only for the last of the pods: small ones fill well one by one and leave the awkward rest. */
  readonly leastCpuMillis: number;
  /** Where seats are wanted, no node is larger than so many times what is left for each seat. */
  readonly shares: number;
  /** Given up as soon as the nodes cost this much. */
  readonly costToBeat: number;
  /** Looks at a parcel that may still be taken; once they are used up only the best buys are tried. */
  readonly effort: { looks: number };
  /** Whether a node of this state may stand where these pods are packed. */
  readonly isAllowed: (state: NodeState) => boolean;
}

/** How many wares are tried for a node, of these how many that were the best buys last are tried again, and up to which share of what was left. */
interface Diligence {
  readonly tried: number;
  readonly favourites: number;
  readonly stale: number;
}

const USUAL: Diligence = { tried: 12, favourites: 2, stale: 0.08 };
/** Where seats are wanted there are many small nodes to buy, of sizes between which there is little to choose. */
const SEATED: Diligence = { tried: 5, favourites: 1, stale: 0.05 };
const CPU = 0;

const worthOfLoad = (used: Float64Array, prices: Float64Array): number => {
  let worth = 0;
  for (let resource = 0; resource < used.length; resource++) worth += (used[resource] ?? 0) * (prices[resource] ?? 0);
  return worth;
};

/** Finds the best buy for what remains, node after node. */
export class Bidding {
  readonly #remaining: Remaining;
  readonly #filler: Filler;
  readonly #manner: Manner;
  readonly #market: Market;
  #prices: Float64Array;
  #favourites: readonly Ware[] = [];
  /** What may be left before all wares are looked at again. */
  #freshUntil = 0;

  constructor(initial: NodeState, remaining: Remaining, manner: Manner) {
    this.#remaining = remaining;
    this.#filler = new Filler(initial, remaining);
    this.#manner = manner;
    this.#market = marketOf(initial, manner.allowance);
    this.#prices = this.#pricesNow();
  }

  /** Hasty: while little has changed only those are tried that were the best buys last. */
  best(isHasty: boolean): Bid | undefined {
    const isFresh = isHasty && this.#left() > this.#freshUntil;
    const again = isFresh ? this.#bidsFor(this.#favourites)[0] : undefined;
    return again ?? this.#chooseAmongAll();
  }

  #chooseAmongAll(): Bid | undefined {
    this.#prices = this.#pricesNow(this.#prices);
    const { demand, effort } = this.#remaining;
    const { tried, favourites, stale } = (demand.at(-1) ?? 0) > 0 ? SEATED : USUAL;
    const all = shortlistOf(this.#market, this.#prices);
    const bids = this.#bidsFor(this.#inManner(all).slice(0, effort.looks > 0 ? tried : favourites));
    this.#favourites = bids.slice(0, favourites).map(({ ware }) => ware);
    this.#freshUntil = this.#left() * (1 - stale);
    // What is left may fit none of the best buys; then any will do.
    return bids[0] ?? this.#bidsFor(all)[0];
  }

  /** The best first. */
  #bidsFor(wares: readonly Ware[]): readonly Bid[] {
    const bids: Bid[] = [];
    for (const ware of wares) {
      const bid = this.#bidFor(ware);
      if (bid !== undefined) bids.push(bid);
    }
    return bids.length < 2 ? bids : bids.sort((a, b) => a.ratio - b.ratio);
  }

  #bidFor(ware: Ware): Bid | undefined {
    const load = this.#filler.fill(ware.type);
    if (load.counts.length === 0 || !this.#manner.isAllowed(load.state)) return undefined;
    const fit = fitOf(load.state, load.used, this.#manner.allowance);
    return fit && { load, fit, ware, ratio: nodeCost(fit) / worthOfLoad(load.used, this.#prices) };
  }

  #inManner(wares: readonly Ware[]): readonly Ware[] {
    const { demand } = this.#remaining;
    const { leastCpuMillis, shares } = this.#manner;
    const seats = demand.at(-1) ?? 0;
    const isNearlyDone = (demand[CPU] ?? 0) < 4 * leastCpuMillis;
    const mostWorth = seats === 0 ? Number.POSITIVE_INFINITY : shares * worthOfLoad(demand, this.#prices);
    return wares.filter(
      (ware) =>
        (isNearlyDone || (ware.amounts[CPU] ?? 0) >= leastCpuMillis) && (seats === 0 || worthOf(ware, this.#prices) * seats <= mostWorth),
    );
  }

  #pricesNow(near?: Float64Array): Float64Array {
    const { demand } = this.#remaining;
    const { frontier, wideFrontier } = this.#market;
    const wares = (demand.at(-1) ?? 0) > 0 ? wideFrontier : frontier;
    return unitPrices(demand, wares, near);
  }

  /** How much is left, by a measure that each node lessens. */
  #left(): number {
    return worthOfLoad(this.#remaining.demand, this.#prices);
  }
}
