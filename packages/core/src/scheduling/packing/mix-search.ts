import { identities } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { NewNode } from '../places/new-nodes/new-node.ts';
import type { Fit, NodeState } from '../places/node-model.ts';
import { nextState } from '../places/node-state.ts';
import type { PackingRules } from './best-value.ts';
import { fluidMix } from './fluid-mix.ts';
import { machineOptionsOf } from './machine-options.ts';
import { MixFiller } from './mix-filler.ts';
import type { FilledMix, MixMachine } from './mix-filler.ts';
import { machineFor, moved, movesFrom, wholeMix } from './mix-moves.ts';
import type { CostedMachine, PriceTable } from './mix-moves.ts';
import { NODE_COST_PER_HOUR, worthOf } from './unit-prices.ts';
import { TermSets, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import type { MachineOption } from './unit-prices.ts';

const CPU = 0;
/**
 * The largest machines of the first mixes, in milli-cores: nodes that are smaller waste more on daemons, larger ones
 * run out of pods.
 */
const CAPS = [Number.POSITIVE_INFINITY, 66_000, 50_000, 34_000, 17_000, 9000];
/** How much more than what the pods want the first mixes have. */
const MARGINS = [1, 1.01, 1.03];
/** Machines of each size that a move may bring in. */
const PER_SIZE = 3;
/** With more sets of terms than this, each would have too few pods to fill nodes of its own. */
const MOST_SETS = 8;
/** A mix is searched only where so many mixes can be tried. */
const LEAST_TRIES = 12;

/** Pods with equal terms, and the machines for them. */
interface MixPart {
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
const totalsWith = ({ template: { columns } }: NodeState, batches: readonly PodBatch[]): Float64Array =>
  totalsOf(
    batches,
    Float64Array.from(batches, ({ count }) => count),
    columns.length + 1,
  );

const mixPartOf = (batches: readonly PodBatch[], initial: NodeState, { allowedTypes }: MixRules): MixPart | undefined => {
  const [first] = batches;
  const start = first === undefined ? initial : startFor(initial, first);
  const totals = totalsWith(initial, batches);
  const options = machineOptionsOf(start, allowedTypes).efficient;
  const table = { options, costs: Float64Array.from(options, ({ pricePerHour }) => pricePerHour + NODE_COST_PER_HOUR) };
  const fluid = fluidMix(totals, table.options, table.costs);
  if (fluid === undefined) return undefined;
  const { unitPrices, cost, amounts } = fluid;
  return { batches, start, table, totals, unitPrices, fluidCost: cost, fluidNodes: amounts.reduce((sum, amount) => sum + amount, 0) };
};

/** The pods by their terms. Undefined when there are too many sets, or one finds no machine. */
const mixParts = (batches: readonly PodBatch[], initial: NodeState, rules: MixRules): readonly MixPart[] | undefined => {
  const termSets = new TermSets();
  const bySet = new Map<number, PodBatch[]>();
  for (const batch of batches) {
    const key = termSets.numberOf(batch);
    const known = bySet.get(key);
    if (known === undefined) bySet.set(key, [batch]);
    else known.push(batch);
  }
  if (bySet.size > MOST_SETS) return undefined;
  const sets = Array.from(bySet.values(), (own) => mixPartOf(own, initial, rules));
  return sets.every((set) => set !== undefined) ? sets : undefined;
};

const cappedAt = ({ options, costs }: PriceTable, cpuMillis: number): PriceTable => {
  const isKept = ({ amounts }: MachineOption): boolean => (amounts[CPU] ?? 0) <= cpuMillis;
  const kept = options.filter(isKept);
  if (kept.length === options.length) return { options, costs };
  return { options: kept, costs: costs.filter((_, index) => options[index] !== undefined && isKept(options[index])) };
};

/** The machines of each size that cost least for what they are worth. */
const candidatesOf = ({ start, table: { options, costs }, unitPrices }: MixPart): readonly CostedMachine[] => {
  const bySize = new Map<number, { readonly machine: CostedMachine; readonly ratio: number }[]>();
  options.forEach((option, index) => {
    const cost = costs[index] ?? 0;
    const size = Math.round(2 * Math.log2(Math.max(1, option.amounts[CPU] ?? 0)));
    const known = bySize.get(size) ?? [];
    bySize.set(size, known);
    known.push({ machine: { option, start, cost }, ratio: cost / worthOf(option, unitPrices) });
  });
  return [...bySize.values()].flatMap((list) => list.sort((a, b) => a.ratio - b.ratio).slice(0, PER_SIZE)).map(({ machine }) => machine);
};

/** Searches whole mixes of machines that carry some pods. */
class MixSearch {
  best: { readonly filled: FilledMix; readonly mix: readonly CostedMachine[] } | undefined;
  readonly #sets: readonly MixPart[];
  readonly #batches: readonly PodBatch[];
  readonly #setOf: readonly MixPart[];
  readonly #filler: MixFiller;
  readonly #machines = new Map<NodeState, Map<number, CostedMachine>>();
  readonly #numberOf = identities();
  /** Mixes that were tried, as texts. */
  readonly #tried = new Set<string>();

  constructor(sets: readonly MixPart[], rules: MixRules) {
    this.#sets = sets;
    this.#batches = sets.flatMap(({ batches }) => batches);
    this.#setOf = sets.flatMap((set) => set.batches.map(() => set));
    const unitPrices = sets[0]?.unitPrices ?? new Float64Array();
    this.#filler = new MixFiller(this.#batches, { ...rules, unitPrices, another: (left) => this.#another(left) });
  }

  /** Mixes rounded from the fluid one, with machines up to several sizes. */
  *trying(): Steps<void> {
    let kept = Number.POSITIVE_INFINITY;
    for (const cap of CAPS) {
      const capped = this.#sets.map((set) => ({ ...set, table: cappedAt(set.table, cap) }));
      const options = capped.reduce((sum, { table }) => sum + table.options.length, 0);
      // A cap that leaves out no further machine leads to the same mixes again.
      if (options === kept) continue;
      kept = options;
      for (const margin of MARGINS) {
        const mix = capped.map((set) => this.#firstMix(set, margin));
        if (mix.every((machines) => machines !== undefined)) this.#try(mix.flat());
        yield;
      }
    }
  }

  /** Cheaper mixes near the best one, until there is none. */
  *descending(mayGoOn: () => boolean): Steps<void> {
    const candidates = this.#sets.flatMap((set) => candidatesOf(set)).map(({ option, start }) => this.#machine(option, start));
    const totals = this.#sets
      .map(({ totals }) => totals)
      .reduce((sum, each) => sum.map((amount, resource) => amount + (each[resource] ?? 0)));
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      const { mix = [] } = this.best ?? {};
      for (const move of movesFrom(mix, candidates, totals)) {
        if (!mayGoOn()) return;
        isBetter = this.#try(moved(mix, move));
        yield;
        if (isBetter) break;
      }
    }
  }

  #firstMix({ table, totals, start }: MixPart, margin: number): readonly CostedMachine[] | undefined {
    const mix = wholeMix(
      totals.map((amount) => amount * margin),
      table,
    );
    return mix?.map((option) => this.#machine(option, start));
  }

  /** Whether the mix is the best so far. */
  #try(mix: readonly CostedMachine[]): boolean {
    const key = mix
      .map((machine) => this.#numberOf(machine))
      .sort((a, b) => a - b)
      .join();
    if (this.#tried.has(key)) return false;
    this.#tried.add(key);
    const filled = this.#filler.fill(mix, this.best === undefined ? Number.POSITIVE_INFINITY : this.best.filled.cost - 1e-9);
    if (filled === undefined) return false;
    this.best = { filled, mix: filled.machines.map((machine, node) => this.#cheapest(machine, filled.fits[node])) };
    return true;
  }

  /** The machine that carries the node in the end. */
  #cheapest({ option, start }: MixMachine, fit: Fit | undefined): CostedMachine {
    const { type } = fit?.cheapest ?? option;
    const table = this.#sets.find((set) => set.start === start)?.table;
    return this.#machine(table?.options.find((each) => each.type === type) ?? option, start);
  }

  #machine(option: MachineOption, start: NodeState): CostedMachine {
    const ofStart = this.#machines.get(start) ?? new Map<number, CostedMachine>();
    this.#machines.set(start, ofStart);
    const known = ofStart.get(option.type) ?? { option, start, cost: option.pricePerHour + NODE_COST_PER_HOUR };
    ofStart.set(option.type, known);
    return known;
  }

  /** For the pods that are left of the first set that has any. */
  #another(left: ReadonlyMap<number, number>): MixMachine | undefined {
    const [first] = left.keys();
    const batch = this.#batches[first ?? 0];
    const set = this.#setOf[first ?? 0];
    if (batch === undefined || set === undefined) return undefined;
    const counts = new Float64Array(this.#batches.length);
    for (const [number, count] of left) if (this.#setOf[number] === set) counts[number] = count;
    const mayHold = ({ amounts }: MachineOption): boolean =>
      batch.resourceIds.every((resource, i) => (amounts[resource] ?? 0) >= (batch.amounts[i] ?? 0));
    const option = machineFor(totalsOf(this.#batches, counts, set.totals.length), set.table, mayHold);
    return option && { option, start: set.start };
  }
}

/** How many looks it takes to fill one mix of so many nodes. */
const looksToFill = (nodes: number, batches: readonly PodBatch[]): number =>
  nodes * batches.reduce((sum, { count }) => sum + 1 + count / 8, 0);

/** The fewest nodes that any mix for the batches has: each at most as large as the largest machine of each resource. */
const leastNodes = (initial: NodeState, batches: readonly PodBatch[], { allowedTypes }: MixRules): number => {
  const totals = totalsWith(initial, batches);
  const most = machineOptionsOf(initial, allowedTypes).mostOf(totals.length);
  return totals.reduce((least, amount, resource) => (amount > 0 ? Math.max(least, amount / (most[resource] ?? 1)) : least), 0);
};

/** What a search for the cheapest mix may use. */
export type MixRules = Pick<PackingRules, 'allowedTypes' | 'isAllowed' | 'effort'>;

/** The nodes of the cheapest mix found, and what fractions of machines would cost. */
export interface MixedPacking {
  readonly newNodes: readonly NewNode[];
  readonly fluidCost: number;
}

/**
 * All batches on a mix of machines that is chosen as a whole: rounded from the fluid mix, filled evenly, and made
 * cheaper machine by machine. Undefined where there are too many pods to fill several mixes, or some pod fits no
 * machine.
 */
export function* packingByMix(initial: NodeState, batches: readonly PodBatch[], rules: MixRules): Steps<MixedPacking | undefined> {
  const allowance = rules.effort.looks / 2;
  const mayTry = (nodes: number): boolean => looksToFill(nodes, batches) * LEAST_TRIES <= allowance;
  if (!mayTry(leastNodes(initial, batches, rules))) return undefined;
  const sets = mixParts(batches, initial, rules);
  if (sets === undefined || !mayTry(sets.reduce((sum, { fluidNodes }) => sum + fluidNodes, 0))) return undefined;
  const until = rules.effort.looks - allowance;
  const search = new MixSearch(sets, rules);
  yield* search.trying();
  yield* search.descending(() => rules.effort.looks > until);
  const { filled } = search.best ?? {};
  return filled && { newNodes: filled.newNodes(), fluidCost: sets.reduce((sum, { fluidCost }) => sum + fluidCost, 0) };
}
