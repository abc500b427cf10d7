import { hasBit } from '../../base/index.ts';
import type { Allowance } from '../places/fit.ts';
import { typesByPrice } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import type { Column } from '../places/node-template.ts';
import { worthOf } from './unit-prices.ts';
import type { Ware } from './unit-prices.ts';

const RATIOS = Array.from({ length: 33 }, (_, index) => 2 ** (index / 2 - 8));
const [CPU, MEMORY] = [0, 1];
const MIB = 1024 ** 2;
const PER_SIZE = 3;

/** Everything that may be bought, the cheapest first. */
const waresOf = (state: NodeState, allowance: Allowance): readonly Ware[] => {
  const { offerings } = state.template.catalog;
  return typesByPrice(state)
    .filter(({ type }) => hasBit(allowance.types, type))
    .map(({ type, offering }) => ({ type, pricePerHour: offerings[offering]?.pricePerHour ?? 0 }));
};

/** Wares by size: cpus to the power of two. */
const bySize = (wares: readonly Ware[], columns: readonly Column[]): readonly (readonly Ware[])[] => {
  const sizes = new Map<number, Ware[]>();
  for (const ware of wares) {
    const size = Math.round(Math.log2(Math.max(1, columns[CPU]?.amounts[ware.type] ?? 0)));
    const known = sizes.get(size);
    if (known === undefined) sizes.set(size, [ware]);
    else known.push(ware);
  }
  return [...sizes.values()];
};

/** The ware that gives most for its price; ties go to the first. */
const bestOf = (wares: readonly Ware[], worth: (type: number) => number): Ware | undefined => {
  let best: Ware | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const ware of wares) {
    const ratio = ware.pricePerHour / worth(ware.type);
    if (ratio < least) [best, least] = [ware, ratio];
  }
  return best;
};

/** The few wares that are the best buy at some ratio of memory's price to cpu's: enough to find unit prices by. */
const frontierOf = (wares: readonly Ware[], { template: { columns } }: NodeState): readonly Ware[] => {
  const prices = new Float64Array(columns.length);
  const frontier = new Set<Ware>();
  for (const ratio of RATIOS) {
    prices[CPU] = 1;
    prices[MEMORY] = ratio / MIB;
    const best = bestOf(wares, (type) => worthOf(type, columns, prices));
    if (best !== undefined) frontier.add(best);
  }
  return [...frontier];
};

/** What there is to buy, and the few wares among it that unit prices are found by. */
export interface Market {
  /** The wares of each size. */
  readonly sizes: readonly (readonly Ware[])[];
  readonly frontier: readonly Ware[];
  /** The best buys of every size: where seats have a price as well, a small node may be the best buy. */
  readonly wideFrontier: readonly Ware[];
}

const markets = new WeakMap<NodeState, WeakMap<Allowance, Market>>();

/** The market of a state. Remembered: a what-if asks thousands of times what can be bought in one and the same. */
export const marketOf = (state: NodeState, allowance: Allowance): Market => {
  const ofState = markets.get(state) ?? new WeakMap<Allowance, Market>();
  markets.set(state, ofState);
  const known = ofState.get(allowance);
  if (known !== undefined) return known;
  const wares = waresOf(state, allowance);
  const sizes = bySize(wares, state.template.columns);
  const wideFrontier = sizes.flatMap((ofSize) => frontierOf(ofSize, state));
  const market = { sizes, frontier: frontierOf(wares, state), wideFrontier };
  ofState.set(allowance, market);
  return market;
};

interface Offer {
  readonly ware: Ware;
  readonly ratio: number;
}

/** The best few of some wares, the best first; ties go to the first. A look at each and no sorting, for this is asked for most nodes that are bought. */
const bestFew = (wares: readonly Ware[], ratioOf: (ware: Ware) => number): readonly Offer[] => {
  const few: Offer[] = [];
  let worst = Number.POSITIVE_INFINITY;
  for (const ware of wares) {
    const ratio = ratioOf(ware);
    if (few.length === PER_SIZE && ratio >= worst) continue;
    const rank = few.findIndex((offer) => ratio < offer.ratio);
    few.splice(rank < 0 ? few.length : rank, 0, { ware, ratio });
    if (few.length > PER_SIZE) few.pop();
    worst = few.at(-1)?.ratio ?? worst;
  }
  return few;
};

/** Of each size the best buys at these unit prices, the best of all first. */
export const shortlistOf = ({ sizes }: Market, columns: readonly Column[], unitPrices: Float64Array): readonly Ware[] =>
  sizes
    .flatMap((wares) => bestFew(wares, ({ type, pricePerHour }) => pricePerHour / worthOf(type, columns, unitPrices)))
    .sort((a, b) => a.ratio - b.ratio)
    .map(({ ware }) => ware);
