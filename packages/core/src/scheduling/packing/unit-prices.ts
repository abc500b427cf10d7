import type { Column } from '../places/node-template.ts';

/** A type that may be bought, and its price in the state that packing starts from. */
export interface Ware {
  readonly type: number;
  readonly pricePerHour: number;
}

const STEPS = [8, 4, 2, 1.5, 1.2, 1.1, 1.05, 1.02];
/** From prices that were right for a little more than what is left. */
const SMALL_STEPS = [1.2, 1.05, 1.02];

/** What the resources of a type are worth at the unit prices. */
export const worthOf = (type: number, columns: readonly Column[], unitPrices: Float64Array): number => {
  let worth = 0;
  for (let resource = 0; resource < columns.length; resource++) {
    const price = unitPrices[resource] ?? 0;
    if (price > 0) worth += price * Math.max(0, columns[resource]?.amounts[type] ?? 0);
  }
  return worth;
};

/** The largest factor by which prices may be scaled so that no ware is worth more than it costs. */
const scaleOf = (wares: readonly Ware[], columns: readonly Column[], prices: Float64Array): number => {
  let scale = Number.POSITIVE_INFINITY;
  for (const { type, pricePerHour } of wares) scale = Math.min(scale, pricePerHour / worthOf(type, columns, prices));
  return scale;
};

const valueOf = (demand: Float64Array, prices: Float64Array): number =>
  demand.reduce((sum, amount, resource) => sum + amount * (prices[resource] ?? 0), 0);

/**
 * Resource → what a unit of it is worth: prices at which no type is worth more than it costs and the demand is worth the most. These are
 * the duals of the fluid packing problem, found by climbing along one resource at a time, sooner from prices that are near; near enough to rank types by.
 */
export const unitPrices = (
  demand: Float64Array,
  { wares, columns }: { readonly wares: readonly Ware[]; readonly columns: readonly Column[] },
  near?: Float64Array,
): Float64Array => {
  const wanted = [...demand.keys()].filter((resource) => (demand[resource] ?? 0) > 0);
  let best = Float64Array.from(demand, (amount, resource) => (amount > 0 ? near?.[resource] || 1 / amount : 0));
  const worthAt = (prices: Float64Array): number => scaleOf(wares, columns, prices) * valueOf(demand, prices);
  let most = worthAt(best);
  for (const step of near === undefined ? STEPS : SMALL_STEPS) {
    for (const resource of wanted) {
      for (const factor of [step, 1 / step]) {
        for (let isBetter = true; isBetter;) {
          const tried = best.slice();
          tried[resource] = (tried[resource] ?? 0) * factor;
          const worth = worthAt(tried);
          isBetter = worth > most * (1 + 1e-9);
          if (isBetter) [best, most] = [tried, worth];
        }
      }
    }
  }
  const scale = scaleOf(wares, columns, best);
  return best.map((price) => price * scale);
};
