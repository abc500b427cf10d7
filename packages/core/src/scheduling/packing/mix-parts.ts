import { addToGroup, amountAt, highestOf, lowestOf } from '../../base/index.ts';
import { fitOf } from '../nodes/fit.ts';
import type { AllowedTypes, NodeState } from '../nodes/node-model.ts';
import { nextState } from '../nodes/node-state.ts';
import type { PackingRules } from './best-value.ts';
import { fluidMix } from './fluid-mix.ts';
import { machineOptionsOf } from './machine-options.ts';
import type { MixMachine } from './mix-filler.ts';
import type { PriceTable } from './mix-moves.ts';
import { TermSets, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { NODE_COST_PER_HOUR, nodeCost, worthOf } from './unit-prices.ts';
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

/** What the cheapest node costs that carries one of the pods; infinite where none does. */
const costOfOne = ({ terms, resourceIds, amounts }: PodBatch, initial: NodeState, allowedTypes: AllowedTypes): number => {
  const used = new Float64Array(initial.template.columns.length);
  for (const [index, resource] of resourceIds.entries()) if (resource < used.length) used[resource] = amountAt(amounts, index);
  const costs = terms.map((term) => {
    const state = nextState(initial, term);
    const fit = state && fitOf(state, used, allowedTypes);
    return fit === undefined ? Number.POSITIVE_INFINITY : nodeCost(fit);
  });
  return lowestOf(costs);
};

/**
 * No packing of the pods costs less: one of its nodes carries the pod that needs the dearest. Each resource costs at
 * least what machines sell it for at their best ratio. Of volumes that pods share a packing may need less than their
 * sum.
 */
export const leastCostOf = (batches: readonly PodBatch[], initial: NodeState, allowedTypes: AllowedTypes): number => {
  const options = machineOptionsOf(initial, allowedTypes).efficient;
  const ratioOf = (resource: number): number =>
    lowestOf(options.map(({ pricePerHour, amounts }) => (pricePerHour + NODE_COST_PER_HOUR) / amountAt(amounts, resource)));
  const ofOne = batches.map((batch) => costOfOne(batch, initial, allowedTypes));
  if (batches.some(({ podClass }) => podClass.shared !== undefined)) return highestOf(ofOne);
  const ofAll = Array.from(totalsWith(initial, batches), (amount, resource) => (amount > 0 ? amount * ratioOf(resource) : 0));
  return highestOf([...ofOne, ...ofAll]);
};

type UncostedPart = Pick<MixPart, 'batches' | 'start' | 'totals'>;

const costedWith = (part: UncostedPart, options: readonly MachineOption[], nodeCostPerHour: number): MixPart | undefined => {
  const table = { options, costs: Float64Array.from(options, ({ machinePricePerHour }) => machinePricePerHour + nodeCostPerHour) };
  const fluid = fluidMix(part.totals, table.options, table.costs);
  if (fluid === undefined) return undefined;
  const { unitPrices, cost, amounts } = fluid;
  return { ...part, table, unitPrices, fluidCost: cost, fluidNodes: amounts.reduce((sum, amount) => sum + amount, 0) };
};

/** The same part where a node costs otherwise. */
export const partAtNodeCost = (part: MixPart, nodeCostPerHour: number): MixPart =>
  costedWith(part, part.table.options, nodeCostPerHour) ?? part;

/** The pods by their terms. Undefined when there are too many sets, or one finds no machine. */
export const mixParts = (
  batches: readonly PodBatch[],
  initial: NodeState,
  { allowedTypes, nodeCostPerHour }: Pick<PackingRules, 'allowedTypes'> & { readonly nodeCostPerHour: number },
): readonly MixPart[] | undefined => {
  const termSets = new TermSets();
  const bySet = Map.groupBy(batches, (batch) => termSets.numberOf(batch));
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
export const withoutLargerMachines = ({ options, costs }: PriceTable, cpuMillis: number): PriceTable => {
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
    addToGroup(bySize, size, { machine: { option, start }, ratio: amountAt(costs, index) / worthOf(option, unitPrices) });
  });
  return [...bySize.values()].flatMap((list) => list.sort((a, b) => a.ratio - b.ratio).slice(0, PER_SIZE)).map(({ machine }) => machine);
};
