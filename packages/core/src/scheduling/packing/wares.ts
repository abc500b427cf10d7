import { hasBit } from '../../base/index.ts';
import type { Allowance } from '../places/fit.ts';
import { typesByPrice } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
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
  readonly wares: readonly Ware[];
  readonly frontier: readonly Ware[];
}

const markets = new WeakMap<NodeState, WeakMap<Allowance, Market>>();

/** The market of a state. Remembered: a what-if asks thousands of times what can be bought in one and the same. */
export const marketOf = (state: NodeState, allowance: Allowance): Market => {
  const ofState = markets.get(state) ?? new WeakMap<Allowance, Market>();
  markets.set(state, ofState);
  const known = ofState.get(allowance);
  if (known !== undefined) return known;
  const wares = waresOf(state, allowance);
  const market = { wares, frontier: frontierOf(wares, state) };
  ofState.set(allowance, market);
  return market;
};

/** Of each size (cpus to the power of two) the best buys at these unit prices, the best of all first. */
export const shortlistOf = (wares: readonly Ware[], { template: { columns } }: NodeState, unitPrices: Float64Array): readonly Ware[] => {
  const bySize = new Map<number, { ware: Ware; ratio: number }[]>();
  for (const ware of wares) {
    const size = Math.round(Math.log2(Math.max(1, columns[CPU]?.amounts[ware.type] ?? 0)));
    const entry = { ware, ratio: ware.pricePerHour / worthOf(ware.type, columns, unitPrices) };
    const known = bySize.get(size);
    if (known === undefined) bySize.set(size, [entry]);
    else known.push(entry);
  }
  return [...bySize.values()]
    .flatMap((entries) => entries.sort((a, b) => a.ratio - b.ratio).slice(0, PER_SIZE))
    .sort((a, b) => a.ratio - b.ratio)
    .map(({ ware }) => ware);
};
