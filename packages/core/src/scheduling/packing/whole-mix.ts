import { fluidMix } from './fluid-mix.ts';
import type { MachineOption } from './unit-prices.ts';

/** Options with what a node of each costs: its price and the cost of being a node. */
export interface PriceTable {
  readonly options: readonly MachineOption[];
  readonly costs: Float64Array;
}

/** Largest first, a mix rarely takes more rounds than there are resources; each buys at least one machine. */
const MOST_ROUNDS = 60;
/** One machine that holds all the rest is bought when it costs at most so many times what fractions of machines would. */
const WHOLE_FOR_FRACTION = 1.5;
/** The same for pods that found no room: a further machine is a node more. */
const WHOLE_FOR_LEFTOVER = 1.3;

const isHeldBy = (amounts: Float64Array, load: Float64Array): boolean => {
  for (let resource = 0; resource < load.length; resource++) if ((load[resource] ?? 0) > (amounts[resource] ?? 0)) return false;
  return true;
};

/** The cheapest option that holds the load alone; -1 when there is none. */
const wholeFor = (load: Float64Array, { options, costs }: PriceTable): number => {
  let best = -1;
  for (const [index, { amounts }] of options.entries()) {
    if (best >= 0 && (costs[index] ?? 0) >= (costs[best] ?? 0)) continue;
    if (isHeldBy(amounts, load)) best = index;
  }
  return best;
};

const largestOf = (amounts: Float64Array): number =>
  amounts.reduce((best, amount, index) => (amount > (amounts[best] ?? 0) ? index : best), 0);

/** Option → how many whole ones there are of it; options without one are left out. */
const wholePartsOf = (amounts: Float64Array): ReadonlyMap<number, number> => {
  const whole = new Map<number, number>();
  for (let index = 0; index < amounts.length; index++) {
    const count = Math.floor((amounts[index] ?? 0) + 1e-9);
    if (count > 0) whole.set(index, count);
  }
  return whole;
};

/**
 * How many of each option the next round buys: the whole part of the fluid mix, else one machine. Undefined when
 * nothing on sale will do.
 */
const nextPurchase = (rest: Float64Array, table: PriceTable): ReadonlyMap<number, number> | undefined => {
  const fluid = fluidMix(rest, table.options, table.costs);
  if (fluid === undefined) return undefined;
  const bought = wholePartsOf(fluid.amounts);
  if (bought.size > 0) return bought;
  const [largest, alone] = [largestOf(fluid.amounts), wholeFor(rest, table)];
  const isWholeBetter = alone >= 0 && ((table.costs[alone] ?? 0) <= WHOLE_FOR_FRACTION * fluid.cost || (fluid.amounts[largest] ?? 0) < 0.5);
  return new Map([[isWholeBetter ? alone : largest, 1]]);
};

/**
 * A whole number of machines that together have the totals: the fluid mix, rounded one machine after the other.
 * Undefined when nothing on sale will do.
 */
export const wholeMix = (totals: Float64Array, table: PriceTable): readonly MachineOption[] | undefined => {
  const mix: MachineOption[] = [];
  const rest = totals.slice();
  for (let round = 0; round < MOST_ROUNDS && rest.some((amount) => amount > 0); round++) {
    const purchase = nextPurchase(rest, table);
    if (purchase === undefined) return undefined;
    for (const [index, count] of purchase) {
      const option = table.options[index];
      if (option === undefined) return undefined;
      for (let i = 0; i < count; i++) mix.push(option);
      option.amounts.forEach((amount, resource) => (rest[resource] = Math.max(0, (rest[resource] ?? 0) - amount * count)));
    }
  }
  return mix;
};

/** Of the options that may hold the first pod, the one that the fluid mix for the load has most of. */
const largestFitting = (load: Float64Array, table: PriceTable, isFitting: readonly boolean[]): MachineOption | undefined => {
  const amounts = fluidMix(load, table.options, table.costs)?.amounts.map((amount, index) => (isFitting[index] === true ? amount : 0));
  const largest = amounts === undefined ? -1 : largestOf(amounts);
  return (amounts?.[largest] ?? 0) > 0 ? table.options[largest] : undefined;
};

/** The machine to buy next for a load that found no room, where the first pod of it must fit. */
export const machineFor = (
  load: Float64Array,
  table: PriceTable,
  mayHold: (option: MachineOption) => boolean,
): MachineOption | undefined => {
  const { options, costs } = table;
  const alone = wholeFor(load, table);
  const fluidCost = fluidMix(load, options, costs)?.cost ?? Number.POSITIVE_INFINITY;
  if (alone >= 0 && (costs[alone] ?? 0) <= WHOLE_FOR_LEFTOVER * fluidCost) return options[alone];
  return largestFitting(load, table, options.map(mayHold)) ?? options[alone] ?? options.find(mayHold);
};
