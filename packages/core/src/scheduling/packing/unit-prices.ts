/** A type that may be bought, and its price in the state that packing starts from. */
export interface MachineOption {
  readonly type: number;
  readonly pricePerHour: number;
  /** Resource → what a node of it has for pods, and at the end one seat. */
  readonly amounts: Float64Array;
}

const STEPS = [8, 4, 2, 1.5, 1.2, 1.1, 1.05, 1.02];
/** Steps from prices that were right for slightly more than what remains. */
const SMALL_STEPS = [1.2, 1.05, 1.02];

/** What the resources of an option are worth at the unit prices; resources without a price are worth nothing. */
export const worthOf = ({ amounts }: Pick<MachineOption, 'amounts'>, unitPrices: Float64Array): number => {
  let worth = 0;
  for (let resource = 0; resource < unitPrices.length; resource++) {
    const price = unitPrices[resource] ?? 0;
    if (price > 0) worth += price * (amounts[resource] ?? 0);
  }
  return worth;
};

/** The largest factor by which prices may be scaled so that no option is worth more than it costs. */
const scaleOf = (options: readonly MachineOption[], prices: Float64Array): number => {
  let scale = Number.POSITIVE_INFINITY;
  for (const option of options) scale = Math.min(scale, option.pricePerHour / worthOf(option, prices));
  return scale;
};

const valueOf = (totals: Float64Array, prices: Float64Array): number => {
  let value = 0;
  for (let resource = 0; resource < totals.length; resource++) value += (totals[resource] ?? 0) * (prices[resource] ?? 0);
  return value;
};

/**
 * Resource → what a unit of it is worth: prices at which no type is worth more than it costs and the demand is worth the most. These are
 * the duals of the fluid packing problem, found by climbing along one resource at a time, sooner from prices that are near; near enough to rank types by.
 */
export const unitPrices = (totals: Float64Array, options: readonly MachineOption[], near?: Float64Array): Float64Array => {
  const prices = Float64Array.from(totals, (amount, resource) => (amount > 0 ? near?.[resource] || 1 / amount : 0));
  const worthNow = (): number => scaleOf(options, prices) * valueOf(totals, prices);
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
    for (let resource = 0; resource < totals.length; resource++) {
      if ((totals[resource] ?? 0) <= 0) continue;
      climb(resource, step);
      climb(resource, 1 / step);
    }
  }
  const scale = scaleOf(options, prices);
  return prices.map((price) => price * scale);
};
