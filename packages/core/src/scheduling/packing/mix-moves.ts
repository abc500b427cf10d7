import { addAt, amountAt, itemAt, ROUNDING } from '../../base/index.ts';
import type { MixMachine } from './mix-filler.ts';
import { fluidMix } from './fluid-mix.ts';
import type { MachineOption } from './unit-prices.ts';

/** A change of a mix that makes it cheaper: up to two machines leave and at most one comes. */
export interface MixMove {
  readonly out: readonly MixMachine[];
  readonly into: readonly MixMachine[];
  readonly saved: number;
  /** The smallest surplus of a resource over the requests of the pods, as a share of the requests. */
  readonly slack: number;
}

/**
 * Slacks in the order in which moves are tried: large steps first, then tight ones. A step ends where the next larger
 * begins.
 */
const SLACKS = [0.05, 0.03, 0.015, 0.005, 0];
const MOVES_PER_SLACK = 25;

/** The distinct machines, and all pairs: two equal machines are a pair where the mix has two of them. */
const leavers = (mix: readonly MixMachine[]): readonly (readonly MixMachine[])[] => {
  const counts = new Map<MixMachine, number>();
  for (const machine of mix) counts.set(machine, (counts.get(machine) ?? 0) + 1);
  const distinct = [...counts.keys()];
  const pairs = distinct.flatMap((a, index) => distinct.slice((counts.get(a) ?? 0) > 1 ? index : index + 1).map((b) => [a, b]));
  return [...distinct.map((machine) => [machine]), ...pairs];
};

/** What the moves of a mix have to keep to. */
export interface MoveRules {
  /** Resource → what the pods want together. */
  readonly totals: Float64Array;
  /** What a node costs beside its machine. */
  readonly nodeCostPerHour: number;
}

/** What a mix has of each resource, and what its pods want. */
interface Balance extends Pick<MoveRules, 'totals'> {
  readonly capacity: Float64Array;
}

const balanceOf = (mix: readonly MixMachine[], totals: Float64Array): Balance => {
  const capacity = new Float64Array(totals.length);
  for (const { option } of mix) option.amounts.forEach((amount, resource) => addAt(capacity, resource, amount));
  return { capacity, totals };
};

const sumOf = (machines: readonly MixMachine[], resource: number): number =>
  machines.reduce((sum, { option }) => sum + amountAt(option.amounts, resource), 0);

const slackAfter = ({ capacity, totals }: Balance, out: MixMove['out'], into: MixMove['into']): number => {
  let slack = Number.POSITIVE_INFINITY;
  for (let resource = 0; resource < totals.length; resource++) {
    const total = amountAt(totals, resource);
    if (total <= 0) continue;
    slack = Math.min(slack, (amountAt(capacity, resource) - sumOf(out, resource) + sumOf(into, resource)) / total - 1);
  }
  return slack;
};

/** Every move that saves something and leaves enough of each resource. */
const allMoves = (
  mix: readonly MixMachine[],
  candidates: readonly MixMachine[],
  { totals, nodeCostPerHour }: MoveRules,
): readonly MixMove[] => {
  const balance = balanceOf(mix, totals);
  const costOf = (machines: readonly MixMachine[]): number =>
    machines.reduce((sum, { option }) => sum + option.machinePricePerHour + nodeCostPerHour, 0);
  const comers = [[], ...candidates.map((candidate) => [candidate])];
  return leavers(mix).flatMap((out) => {
    const before = costOf(out);
    return comers.flatMap((into): readonly MixMove[] => {
      const saved = before - costOf(into);
      const slack = saved > ROUNDING ? slackAfter(balance, out, into) : -1;
      return slack < 0 ? [] : [{ out, into, saved, slack }];
    });
  });
};

/** The moves to try, in order: of each step of slack those that save the most. */
export const movesFrom = (mix: readonly MixMachine[], candidates: readonly MixMachine[], rules: MoveRules): readonly MixMove[] => {
  const all = allMoves(mix, candidates, rules);
  return SLACKS.flatMap((least, index) => {
    const most = index === 0 ? Number.POSITIVE_INFINITY : itemAt(SLACKS, index - 1);
    return all
      .filter(({ slack }) => slack >= least && slack < most)
      .sort((a, b) => b.saved - a.saved)
      .slice(0, MOVES_PER_SLACK);
  });
};

/** The mix after the move. */
export const mixAfter = (mix: readonly MixMachine[], { out, into }: MixMove): readonly MixMachine[] => {
  const left = [...mix];
  for (const machine of out) left.splice(left.indexOf(machine), 1);
  return [...left, ...into];
};

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
const WHOLE_FOR_UNPLACED = 1.3;

const isHeldBy = (amounts: Float64Array, load: Float64Array): boolean => {
  for (let resource = 0; resource < load.length; resource++) if (amountAt(load, resource) > amountAt(amounts, resource)) return false;
  return true;
};

/** The cheapest option that holds the load alone; -1 when there is none. */
const wholeFor = (load: Float64Array, { options, costs }: PriceTable): number => {
  let best = -1;
  for (const [index, { amounts }] of options.entries()) {
    if (best >= 0 && amountAt(costs, index) >= amountAt(costs, best)) continue;
    if (isHeldBy(amounts, load)) best = index;
  }
  return best;
};

const largestOf = (amounts: Float64Array): number =>
  amounts.reduce((best, amount, index) => (amount > amountAt(amounts, best) ? index : best), 0);

/** Option → how many whole ones there are of it; options without one are left out. */
const wholePartsOf = (amounts: Float64Array): ReadonlyMap<number, number> => {
  const whole = new Map<number, number>();
  for (let index = 0; index < amounts.length; index++) {
    const count = Math.floor(amountAt(amounts, index) + ROUNDING);
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
  const isWholeBetter =
    alone >= 0 && (amountAt(table.costs, alone) <= WHOLE_FOR_FRACTION * fluid.cost || amountAt(fluid.amounts, largest) < 0.5);
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
      const option = itemAt(table.options, index);
      for (let i = 0; i < count; i++) mix.push(option);
      option.amounts.forEach((amount, resource) => (rest[resource] = Math.max(0, amountAt(rest, resource) - amount * count)));
    }
  }
  return mix;
};

/** Of the options that may hold the first pod, the one that the fluid mix for the load has most of. */
const largestFitting = (load: Float64Array, table: PriceTable, isFitting: readonly boolean[]): MachineOption | undefined => {
  const amounts = fluidMix(load, table.options, table.costs)?.amounts.map((amount, index) => (isFitting[index] === true ? amount : 0));
  if (amounts === undefined) return undefined;
  const largest = largestOf(amounts);
  return amountAt(amounts, largest) > 0 ? table.options[largest] : undefined;
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
  if (alone >= 0 && amountAt(costs, alone) <= WHOLE_FOR_UNPLACED * fluidCost) return options[alone];
  return largestFitting(load, table, options.map(mayHold)) ?? options[alone] ?? options.find(mayHold);
};
