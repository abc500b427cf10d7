import { hasBit } from '../../base/index.ts';
import type { Allowance } from '../places/fit.ts';
import { typesByPrice } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import { worthOf } from './unit-prices.ts';
import type { Ware } from './unit-prices.ts';

const RATIOS = Array.from({ length: 33 }, (_, index) => 2 ** (index / 2 - 8));
const [CPU, MEMORY] = [0, 1];
const MIB = 1024 ** 2;
const PER_SIZE = 3;

const rows = new WeakMap<NodeTemplate, readonly Float64Array[]>();

/** Type → its amounts and a seat: the columns of the template turned into rows, for a ware's worth is asked for hundreds of thousands of times a plan. */
const rowsOf = (template: NodeTemplate): readonly Float64Array[] => {
  const known = rows.get(template);
  if (known !== undefined) return known;
  const { catalog, columns } = template;
  const fresh = catalog.types.map((_, type) => Float64Array.of(...columns.map(({ amounts }) => Math.max(0, amounts[type] ?? 0)), 1));
  rows.set(template, fresh);
  return fresh;
};

/** Everything that may be bought, the cheapest first. */
const waresOf = (state: NodeState, allowance: Allowance): readonly Ware[] => {
  const { offerings } = state.template.catalog;
  const amounts = rowsOf(state.template);
  return typesByPrice(state)
    .filter(({ type }) => hasBit(allowance.types, type))
    .map(({ type, offering }) => ({
      type,
      pricePerHour: offerings[offering]?.pricePerHour ?? 0,
      amounts: amounts[type] ?? new Float64Array(),
    }));
};

/** Wares by size: cpus to the power of two. */
const bySize = (wares: readonly Ware[]): readonly (readonly Ware[])[] => {
  const sizes = new Map<number, Ware[]>();
  for (const ware of wares) {
    const size = Math.round(Math.log2(Math.max(1, ware.amounts[CPU] ?? 0)));
    const known = sizes.get(size);
    if (known === undefined) sizes.set(size, [ware]);
    else known.push(ware);
  }
  return [...sizes.values()];
};

/** The ware that gives most for its price; ties go to the first. */
const bestOf = (wares: readonly Ware[], prices: Float64Array): Ware | undefined => {
  let best: Ware | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const ware of wares) {
    const ratio = ware.pricePerHour / worthOf(ware, prices);
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
    const best = bestOf(wares, prices);
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
  const sizes = bySize(wares);
  const wideFrontier = sizes.flatMap((ofSize) => frontierOf(ofSize, state));
  const market = { sizes, frontier: frontierOf(wares, state), wideFrontier };
  ofState.set(allowance, market);
  return market;
};

/** The best few of some wares, the best first, and what each costs for a dollar of worth. */
interface Few {
  readonly wares: Ware[];
  readonly ratios: number[];
}

/** Puts a ware in its rank; ties go to the first. */
const insert = ({ wares, ratios }: Few, ware: Ware, ratio: number): void => {
  let rank = Math.min(wares.length, PER_SIZE - 1);
  for (; rank > 0 && ratio < (ratios[rank - 1] ?? 0); rank--) {
    const better = wares[rank - 1];
    if (better !== undefined) wares[rank] = better;
    ratios[rank] = ratios[rank - 1] ?? 0;
  }
  wares[rank] = ware;
  ratios[rank] = ratio;
};

/** A look at each and no sorting, for this is asked for most nodes that are bought. */
const bestFew = (wares: readonly Ware[], prices: Float64Array): Few => {
  const few: Few = { wares: [], ratios: [] };
  let worst = Number.POSITIVE_INFINITY;
  for (const ware of wares) {
    const ratio = ware.pricePerHour / worthOf(ware, prices);
    if (few.wares.length === PER_SIZE && ratio >= worst) continue;
    insert(few, ware, ratio);
    worst = few.ratios.at(-1) ?? worst;
  }
  return few;
};

/** Of each size the best buys at these unit prices, the best of all first. */
export const shortlistOf = ({ sizes }: Market, unitPrices: Float64Array): readonly Ware[] => {
  const list: { readonly ware: Ware; readonly ratio: number }[] = [];
  for (const ofSize of sizes) {
    const { wares, ratios } = bestFew(ofSize, unitPrices);
    wares.forEach((ware, rank) => list.push({ ware, ratio: ratios[rank] ?? 0 }));
  }
  return list.sort((a, b) => a.ratio - b.ratio).map(({ ware }) => ware);
};
