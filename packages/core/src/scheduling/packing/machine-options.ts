import { amountAt, hasBit, itemAt, memoByObject } from '../../base/index.ts';
import { typesByPrice } from '../nodes/node-state.ts';
import { worthOf } from './unit-prices.ts';
import type { MachineOption } from './unit-prices.ts';
import type { AllowedTypes, NodeState, NodeTemplate } from '../nodes/node-model.ts';

const RATIOS = Array.from({ length: 33 }, (_, index) => 2 ** (index / 2 - 8));
const [CPU, MEMORY] = [0, 1];
const MIB = 1024 ** 2;
const PER_SIZE = 3;

/**
 * Type → its amounts and a seat: the columns of the template as rows. A plan computes the worth of an option hundreds
 * of thousands of times.
 */
const rowsOf = memoByObject(({ catalog, columns }: NodeTemplate): readonly Float64Array[] =>
  catalog.types.map((_, type) => {
    const row = new Float64Array(columns.length + 1).fill(1);
    for (let resource = 0; resource < columns.length; resource++)
      row[resource] = Math.max(0, amountAt(itemAt(columns, resource).amounts, type));
    return row;
  }),
);

/** Every machine that may be bought, the cheapest first. */
const optionsOf = (state: NodeState, allowedTypes: AllowedTypes): readonly MachineOption[] => {
  const { catalog, nodePricePerHour } = state.template;
  const amounts = rowsOf(state.template);
  return typesByPrice(state)
    .filter(({ type }) => hasBit(allowedTypes.types, type))
    .map(({ type, offering }) => {
      const machinePricePerHour = itemAt(catalog.offerings, offering).pricePerHour;
      return {
        type,
        machinePricePerHour,
        pricePerHour: machinePricePerHour + nodePricePerHour,
        amounts: itemAt(amounts, type),
      };
    });
};

/** Options by size: cpus rounded to a power of two. */
const bySize = (options: readonly MachineOption[]): readonly (readonly MachineOption[])[] => [
  ...Map.groupBy(options, ({ amounts }) => Math.round(Math.log2(Math.max(1, amountAt(amounts, CPU))))).values(),
];

/** The option with the most worth for its price; ties go to the first. */
const bestOf = (options: readonly MachineOption[], prices: Float64Array): MachineOption | undefined => {
  let best: MachineOption | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const option of options) {
    const ratio = option.pricePerHour / worthOf(option, prices);
    if (ratio < least) [best, least] = [option, ratio];
  }
  return best;
};

/** The few options that are the best value at some ratio of memory's price to cpu's: enough to derive unit prices from. */
const frontierOf = (options: readonly MachineOption[], { template: { columns } }: NodeState): readonly MachineOption[] => {
  const prices = new Float64Array(columns.length);
  const frontier = new Set<MachineOption>();
  for (const ratio of RATIOS) {
    prices[CPU] = 1;
    prices[MEMORY] = ratio / MIB;
    const best = bestOf(options, prices);
    if (best !== undefined) frontier.add(best);
  }
  return [...frontier];
};

const hasAsMuch = (amounts: Float64Array, wanted: Float64Array): boolean => {
  for (let resource = 0; resource < amounts.length; resource++) if (amountAt(amounts, resource) < amountAt(wanted, resource)) return false;
  return true;
};

const isBeaten = ({ amounts }: MachineOption, cheaper: readonly MachineOption[]): boolean => {
  for (const other of cheaper) if (hasAsMuch(other.amounts, amounts)) return true;
  return false;
};

/** The options without a cheaper one that has at least as much of every resource. The cheapest come first. */
const efficientOf = (options: readonly MachineOption[]): readonly MachineOption[] => {
  const kept: MachineOption[] = [];
  for (const option of options) if (!isBeaten(option, kept)) kept.push(option);
  return kept;
};

/**
 * The machines on sale, and the few among them that unit prices are derived from. Each list is made when it is first
 * read: no packing reads all.
 */
export class MachineOptions {
  readonly #state: NodeState;
  readonly #options: readonly MachineOption[];
  #sizes: readonly (readonly MachineOption[])[] | undefined;
  #frontier: readonly MachineOption[] | undefined;
  #wideFrontier: readonly MachineOption[] | undefined;
  #efficient: readonly MachineOption[] | undefined;

  constructor(state: NodeState, allowedTypes: AllowedTypes) {
    this.#state = state;
    this.#options = optionsOf(state, allowedTypes);
  }

  /** The options of each size. */
  get sizes(): readonly (readonly MachineOption[])[] {
    return (this.#sizes ??= bySize(this.#options));
  }

  get frontier(): readonly MachineOption[] {
    return (this.#frontier ??= frontierOf(this.efficient, this.#state));
  }

  /** The frontiers of all sizes: where seats have a price too, a small node may be the best value. */
  get wideFrontier(): readonly MachineOption[] {
    return (this.#wideFrontier ??= this.sizes.flatMap((ofSize) => frontierOf(ofSize, this.#state)));
  }

  /** Options that are worth their price for some load. */
  get efficient(): readonly MachineOption[] {
    return (this.#efficient ??= efficientOf(this.#options));
  }

  /** Resource → the most that any option has, for so many resources and a seat. */
  mostOf(resourceCount: number): Float64Array {
    const most = new Float64Array(resourceCount);
    for (const { amounts } of this.#options)
      for (let resource = 0; resource < resourceCount; resource++)
        most[resource] = Math.max(amountAt(most, resource), amountAt(amounts, resource));
    return most;
  }
}

const machineOptionsIn = memoByObject((state: NodeState) =>
  memoByObject((allowedTypes: AllowedTypes) => new MachineOptions(state, allowedTypes)),
);

/** The machine options of a state. Remembered: a what-if asks for the same one thousands of times. */
export const machineOptionsOf = (state: NodeState, allowedTypes: AllowedTypes): MachineOptions => machineOptionsIn(state)(allowedTypes);

/** The best few of some options, the best first, and what each costs for a dollar of worth. */
interface Few {
  readonly options: MachineOption[];
  readonly ratios: number[];
}

/** Inserts an option at its rank; ties go to the first. */
const insert = ({ options, ratios }: Few, option: MachineOption, ratio: number): void => {
  let rank = Math.min(options.length, PER_SIZE - 1);
  for (; rank > 0 && ratio < itemAt(ratios, rank - 1); rank--) {
    options[rank] = itemAt(options, rank - 1);
    ratios[rank] = itemAt(ratios, rank - 1);
  }
  options[rank] = option;
  ratios[rank] = ratio;
};

/** One pass without sorting: this runs for most nodes that are bought. */
const bestFew = (options: readonly MachineOption[], prices: Float64Array): Few => {
  const few: Few = { options: [], ratios: [] };
  let worst = Number.POSITIVE_INFINITY;
  for (const option of options) {
    const ratio = option.pricePerHour / worthOf(option, prices);
    if (few.options.length === PER_SIZE && ratio >= worst) continue;
    insert(few, option, ratio);
    worst = few.ratios.at(-1) ?? worst;
  }
  return few;
};

/** Of each size the best values at these unit prices, the best of all first. */
export const shortlistOf = ({ sizes }: Pick<MachineOptions, 'sizes'>, unitPrices: Float64Array): readonly MachineOption[] => {
  const list: { readonly option: MachineOption; readonly ratio: number }[] = [];
  for (const ofSize of sizes) {
    const { options, ratios } = bestFew(ofSize, unitPrices);
    options.forEach((option, rank) => list.push({ option, ratio: itemAt(ratios, rank) }));
  }
  return list.sort((a, b) => a.ratio - b.ratio).map(({ option }) => option);
};
