import { amountAt } from '../../base/index.ts';
import { fitOf } from '../nodes/fit.ts';
import { Filler } from './node-filler.ts';
import type { Load, Remaining } from './node-filler.ts';
import { nodeCost, unitPrices, worthOf } from './unit-prices.ts';
import type { MachineOption } from './unit-prices.ts';
import { machineOptionsOf, shortlistOf } from './machine-options.ts';
import type { MachineOptions } from './machine-options.ts';
import type { AllowedTypes, Fit, NodeState } from '../nodes/node-model.ts';

/** A load, the types that can carry it, and its cost for each dollar that it is worth at the current unit prices. */
export interface Buy {
  readonly load: Load;
  readonly fit: Fit;
  readonly option: MachineOption;
  readonly ratio: number;
}

/** The rules of one greedy packing. */
export interface PackingRules {
  readonly allowedTypes: AllowedTypes;
  /** Smaller nodes are bought only for the last pods: each fills well, but all together they leave the awkward pods over. */
  readonly leastCpuMillis: number;
  /** Where seats are needed, no node is worth more than so many times the remaining worth per seat. */
  readonly shares: number;
  /** The packing is aborted as soon as its nodes cost this much. */
  readonly costToBeat: number;
  /** How many more times a batch may be tried; once used up, only the latest best values are tried. */
  readonly effort: { tries: number };
  /** Whether a node of this state may stand where these pods are packed. */
  readonly isAllowed: (state: NodeState) => boolean;
}

/**
 * How many machine options are tried for a node, and how many of the best are kept as favourites. Only favourites are
 * tried for the next nodes, until this share of what remained is packed.
 */
interface Breadth {
  readonly tried: number;
  readonly favourites: number;
  readonly stale: number;
}

const USUAL: Breadth = { tried: 12, favourites: 2, stale: 0.08 };
/** Seats need many small nodes, of sizes that hardly differ in value. */
const SEATED: Breadth = { tried: 5, favourites: 1, stale: 0.05 };
const CPU = 0;

/** The seats among amounts of resources: they stand last. */
const seatsIn = (totals: Float64Array): number => amountAt(totals, totals.length - 1);

const worthOfLoad = (used: Float64Array, prices: Float64Array): number => {
  let worth = 0;
  for (let resource = 0; resource < used.length; resource++) worth += amountAt(used, resource) * amountAt(prices, resource);
  return worth;
};

/** Finds the best value for what remains, node after node. */
export class BestValue {
  readonly #remaining: Remaining;
  readonly #filler: Filler;
  readonly #rules: PackingRules;
  readonly #machineOptions: MachineOptions;
  #prices: Float64Array;
  #favourites: readonly MachineOption[] = [];
  /** The favourites are trusted while more than this remains. */
  #freshUntil = 0;

  constructor(initial: NodeState, remaining: Remaining, rules: PackingRules) {
    this.#remaining = remaining;
    this.#filler = new Filler(initial, remaining);
    this.#rules = rules;
    this.#machineOptions = machineOptionsOf(initial, rules.allowedTypes);
    this.#prices = this.#pricesNow();
  }

  /**
   * The next buy; undefined when no option carries anything. Hasty: while little has changed, only the favourites are
   * tried.
   */
  best(isHasty: boolean): Buy | undefined {
    const isFresh = isHasty && this.#left() > this.#freshUntil;
    const again = isFresh ? this.#buysFor(this.#favourites)[0] : undefined;
    return again ?? this.#chooseAmongAll();
  }

  #chooseAmongAll(): Buy | undefined {
    this.#prices = this.#pricesNow(this.#prices);
    const { totals, effort } = this.#remaining;
    const { tried, favourites, stale } = seatsIn(totals) > 0 ? SEATED : USUAL;
    const all = shortlistOf(this.#machineOptions, this.#prices);
    const buys = this.#buysFor(this.#withinRules(all).slice(0, effort.tries > 0 ? tried : favourites));
    this.#favourites = buys.slice(0, favourites).map(({ option }) => option);
    this.#freshUntil = this.#left() * (1 - stale);
    // What remains may fit none of the shortlisted: then any option will do.
    return buys[0] ?? this.#buysFor(all)[0];
  }

  /** The best first. */
  #buysFor(options: readonly MachineOption[]): readonly Buy[] {
    const buys: Buy[] = [];
    for (const option of options) {
      const buy = this.#buyFor(option);
      if (buy !== undefined) buys.push(buy);
    }
    return buys.length < 2 ? buys : buys.sort((a, b) => a.ratio - b.ratio);
  }

  #buyFor(option: MachineOption): Buy | undefined {
    const load = this.#filler.fill(option.type);
    if (load.counts.length === 0 || !this.#rules.isAllowed(load.state)) return undefined;
    const fit = fitOf(load.state, load.used, this.#rules.allowedTypes);
    return fit && { load, fit, option, ratio: nodeCost(fit) / worthOfLoad(load.used, this.#prices) };
  }

  #withinRules(options: readonly MachineOption[]): readonly MachineOption[] {
    const { totals } = this.#remaining;
    const { leastCpuMillis, shares } = this.#rules;
    const seats = seatsIn(totals);
    const isNearlyDone = amountAt(totals, CPU) < 4 * leastCpuMillis;
    const mostWorth = seats === 0 ? Number.POSITIVE_INFINITY : shares * worthOfLoad(totals, this.#prices);
    return options.filter(
      (option) =>
        (isNearlyDone || amountAt(option.amounts, CPU) >= leastCpuMillis) &&
        (seats === 0 || worthOf(option, this.#prices) * seats <= mostWorth),
    );
  }

  #pricesNow(near?: Float64Array): Float64Array {
    const { totals } = this.#remaining;
    const { frontier, wideFrontier } = this.#machineOptions;
    const options = seatsIn(totals) > 0 ? wideFrontier : frontier;
    return unitPrices(totals, options, near);
  }

  /** The worth of what remains: every node bought lessens it. */
  #left(): number {
    return worthOfLoad(this.#remaining.totals, this.#prices);
  }
}
