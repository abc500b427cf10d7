import { addToGroup, amountAt } from '../../base/index.ts';
import type { NodeState } from '../places/node-model.ts';
import { nextState } from '../places/node-state.ts';
import type { PackingRules } from './best-value.ts';
import { fluidMix } from './fluid-mix.ts';
import { machineOptionsOf } from './machine-options.ts';
import type { MixMachine } from './mix-filler.ts';
import type { PriceTable } from './mix-moves.ts';
import { TermSets, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { worthOf } from './unit-prices.ts';
import type { MachineOption } from './unit-prices.ts';

const CPU = 0;
/** Machines of each size that a move may bring in. */
const PER_SIZE = 3;
/** With more sets of terms than this, each would have too few pods to fill nodes of its own. */
const MOST_SETS = 8;

/** Pods with equal terms, and the machines for them where each node costs so much beside its machine. */
export interface MixPart {
  readonly batches: readonly PodBatch[];
  readonly start: NodeState;
  readonly table: PriceTable;
  readonly totals: Float64Array;
  readonly unitPrices: Float64Array;
  readonly fluidCost: number;
  readonly fluidNodes: number;
}

const startFor = (start: NodeState, { terms }: PodBatch): NodeState => {
  const [term, ...others] = terms;
  return (term && others.length === 0 ? nextState(start, term) : undefined) ?? start;
};

/** Resource → what the batches want together, the seat included. */
export const totalsWith = ({ template: { columns } }: NodeState, batches: readonly PodBatch[]): Float64Array =>
  totalsOf(
    batches,
    Float64Array.from(batches, ({ count }) => count),
    columns.length + 1,
  );

type UncostedPart = Pick<MixPart, 'batches' | 'start' | 'totals'>;

const costedWith = (part: UncostedPart, options: readonly MachineOption[], nodeCostPerHour: number): MixPart | undefined => {
  const table = { options, costs: Float64Array.from(options, ({ machinePricePerHour }) => machinePricePerHour + nodeCostPerHour) };
  const fluid = fluidMix(part.totals, table.options, table.costs);
  if (fluid === undefined) return undefined;
  const { unitPrices, cost, amounts } = fluid;
  return { ...part, table, unitPrices, fluidCost: cost, fluidNodes: amounts.reduce((sum, amount) => sum + amount, 0) };
};

/** The same part where a node costs otherwise. */
export const costedAt = (part: MixPart, nodeCostPerHour: number): MixPart => costedWith(part, part.table.options, nodeCostPerHour) ?? part;

/** The pods by their terms. Undefined when there are too many sets, or one finds no machine. */
export const mixParts = (
  batches: readonly PodBatch[],
  initial: NodeState,
  { allowedTypes, nodeCostPerHour }: Pick<PackingRules, 'allowedTypes'> & { readonly nodeCostPerHour: number },
): readonly MixPart[] | undefined => {
  const termSets = new TermSets();
  const bySet = new Map<number, PodBatch[]>();
  for (const batch of batches) {
    const key = termSets.numberOf(batch);
    addToGroup(bySet, key, batch);
  }
  if (bySet.size > MOST_SETS) return undefined;
  const parts = Array.from(bySet.values(), (own) => {
    const [first] = own;
    const start = first === undefined ? initial : startFor(initial, first);
    const part = { batches: own, start, totals: totalsWith(initial, own) };
    return costedWith(part, machineOptionsOf(start, allowedTypes).efficient, nodeCostPerHour);
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
};

/** The table without machines of more milli-cores. */
export const cappedAt = ({ options, costs }: PriceTable, cpuMillis: number): PriceTable => {
  const isKept = ({ amounts }: MachineOption): boolean => amountAt(amounts, CPU) <= cpuMillis;
  const kept = options.filter(isKept);
  if (kept.length === options.length) return { options, costs };
  return { options: kept, costs: costs.filter((_, index) => options[index] !== undefined && isKept(options[index])) };
};

/** The machines of each size that cost least for what they are worth. */
export const candidatesOf = ({ start, table: { options, costs }, unitPrices }: MixPart): readonly MixMachine[] => {
  const bySize = new Map<number, { readonly machine: MixMachine; readonly ratio: number }[]>();
  options.forEach((option, index) => {
    const size = Math.round(2 * Math.log2(Math.max(1, amountAt(option.amounts, CPU))));
    const known = bySize.get(size) ?? [];
    bySize.set(size, known);
    known.push({ machine: { option, start }, ratio: amountAt(costs, index) / worthOf(option, unitPrices) });
  });
  return [...bySize.values()].flatMap((list) => list.sort((a, b) => a.ratio - b.ratio).slice(0, PER_SIZE)).map(({ machine }) => machine);
};
