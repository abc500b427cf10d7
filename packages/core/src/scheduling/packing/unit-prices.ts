/** A type that may be bought, and its price in the state that packing starts from. */
export interface Ware {
  readonly type: number;
  readonly pricePerHour: number;
  /** Resource → what a node of it has for pods, and at the end one seat. */
  readonly amounts: Float64Array;
}

const STEPS = [8, 4, 2, 1.5, 1.2, 1.1, 1.05, 1.02];
/** From prices that were right for a little more than what is left. */
const SMALL_STEPS = [1.2, 1.05, 1.02];

/** What the resources of a ware are worth at the unit prices; resources beyond those that have one are worth nothing. */
export const worthOf = ({ amounts }: Pick<Ware, 'amounts'>, unitPrices: Float64Array): number => {
  let worth = 0;
  for (let resource = 0; resource < unitPrices.length; resource++) {
    const price = unitPrices[resource] ?? 0;
    if (price > 0) worth += price * (amounts[resource] ?? 0);
  }
  return worth;
};

/** The largest factor by which prices may be scaled so that no ware is worth more than it costs. */
const scaleOf = (wares: readonly Ware[], prices: Float64Array): number => {
  let scale = Number.POSITIVE_INFINITY;
  for (const ware of wares) scale = Math.min(scale, ware.pricePerHour / worthOf(ware, prices));
  return scale;
};

const valueOf = (demand: Float64Array, prices: Float64Array): number => {
  let value = 0;
  for (let resource = 0; resource < demand.length; resource++) value += (demand[resource] ?? 0) * (prices[resource] ?? 0);
  return value;
};

/**
 * Resource → what a unit of it is worth: prices at which no type is worth more than it costs and the demand is worth the most. These are
 * the duals of the fluid packing problem, found by climbing along one resource at a time, sooner from prices that are near; near enough to rank types by.
 */
export const unitPrices = (demand: Float64Array, wares: readonly Ware[], near?: Float64Array): Float64Array => {
  const prices = Float64Array.from(demand, (amount, resource) => (amount > 0 ? near?.[resource] || 1 / amount : 0));
  const worthNow = (): number => scaleOf(wares, prices) * valueOf(demand, prices);
  let most = worthNow();
  /** Multiplies the price as often as that is better. */
  const climb = (resource: number, factor: number): void => {
    for (;;) {
      const before = prices[resource] ?? 0;
      prices[resource] = before * factor;
      const worth = worthNow();
      if (worth > most * (1 + 1e-9)) most = worth;
      else {
        prices[resource] = before;
        return;
      }
    }
  };
  for (const step of near === undefined ? STEPS : SMALL_STEPS) {
    for (let resource = 0; resource < demand.length; resource++) {
      if ((demand[resource] ?? 0) <= 0) continue;
      climb(resource, step);
      climb(resource, 1 / step);
    }
  }
  const scale = scaleOf(wares, prices);
  return prices.map((price) => price * scale);
};
