import { amountAt, itemAt, ROUNDING } from '../../base/index.ts';
import type { Fit } from '../nodes/node-model.ts';

/**
 * Overhead of a node in dollars an hour, on top of its price: control plane, image pulls and all other work done once
 * per node. Breaks ties between many small and few large nodes of one price a core. The reasoning:
 * docs/adr/0005-packing.md.
 */
export const NODE_COST_PER_HOUR = 0.005;

/** The price of the node's cheapest type. */
export const machinePriceOf = ({ state: { template }, cheapest }: Fit): number =>
  itemAt(template.catalog.offerings, cheapest.offering).pricePerHour;

/** The same, and what each node costs beside its machine. */
export const priceOf = (fit: Fit): number => machinePriceOf(fit) + fit.state.template.nodePricePerHour;

/** What packing weighs a node by: its price, and the cost of being a node. */
export const nodeCost = (fit: Fit): number => priceOf(fit) + NODE_COST_PER_HOUR;

/** A type that may be bought, and the price of a node of it in the state that packing starts from. */
export interface MachineOption {
  readonly type: number;
  readonly pricePerHour: number;
  /** The same without what a node costs beside its machine. */
  readonly machinePricePerHour: number;
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
    const price = amountAt(unitPrices, resource);
    if (price > 0) worth += price * amountAt(amounts, resource);
  }
  return worth;
};

/** The resources that some pod wants, and how much of each. */
interface Demanded {
  readonly resources: readonly number[];
  readonly totals: Float64Array;
}

const demandedOf = (totals: Float64Array): Demanded => {
  const resources = [...totals.keys()].filter((resource) => amountAt(totals, resource) > 0);
  return { resources, totals: Float64Array.from(resources, (resource) => amountAt(totals, resource)) };
};

/**
 * What all options together say of a set of prices. The amounts of the demanded resources stand row by row in one
 * array: a climb asks a hundred times.
 */
class Worth {
  readonly #costs: Float64Array;
  readonly #amounts: Float64Array;
  readonly #totals: Float64Array;

  constructor(options: readonly MachineOption[], { resources, totals }: Demanded) {
    this.#totals = totals;
    this.#costs = Float64Array.from(options, ({ pricePerHour }) => pricePerHour);
    this.#amounts = new Float64Array(options.length * resources.length);
    let cell = 0;
    for (const { amounts } of options) for (const resource of resources) this.#amounts[cell++] = amountAt(amounts, resource);
  }

  /** The largest factor by which prices may be scaled so that no option is worth more than it costs. */
  scaleOf(prices: Float64Array): number {
    const [costs, amounts] = [this.#costs, this.#amounts];
    let scale = Number.POSITIVE_INFINITY;
    for (let option = 0, cell = 0; option < costs.length; option++) {
      let worth = 0;
      for (let resource = 0; resource < prices.length; resource++) worth += amountAt(prices, resource) * amountAt(amounts, cell++);
      const factor = amountAt(costs, option) / worth;
      if (factor < scale) scale = factor;
    }
    return scale;
  }

  /** What the load is worth once no option is worth more than it costs. */
  of(prices: Float64Array): number {
    let value = 0;
    for (let resource = 0; resource < prices.length; resource++) value += amountAt(this.#totals, resource) * amountAt(prices, resource);
    return this.scaleOf(prices) * value;
  }
}

/**
 * Resource → what a unit of it is worth: prices at which no type is worth more than it costs and the load is worth
 * the most. These are the duals of the fluid packing problem, found by climbing along one resource at a time, sooner
 * from prices that are near; near enough to rank types by.
 */
export const unitPrices = (totals: Float64Array, options: readonly MachineOption[], near?: Float64Array): Float64Array => {
  const demanded = demandedOf(totals);
  const worth = new Worth(options, demanded);
  const prices = Float64Array.from(demanded.resources, (resource, i) => near?.[resource] || 1 / amountAt(demanded.totals, i));
  let most = worth.of(prices);
  /** Multiplies the price as often as that is better. */
  const climb = (index: number, factor: number): void => {
    for (;;) {
      const before = amountAt(prices, index);
      prices[index] = before * factor;
      const now = worth.of(prices);
      if (now > most * (1 + ROUNDING)) most = now;
      else {
        prices[index] = before;
        return;
      }
    }
  };
  for (const step of near === undefined ? STEPS : SMALL_STEPS) {
    for (let index = 0; index < prices.length; index++) {
      climb(index, step);
      climb(index, 1 / step);
    }
  }
  const scale = worth.scaleOf(prices);
  const scaled = new Float64Array(totals.length);
  demanded.resources.forEach((resource, i) => (scaled[resource] = amountAt(prices, i) * scale));
  return scaled;
};
