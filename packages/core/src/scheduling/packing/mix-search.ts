import { amountAt, getOrMake, identities, itemAt, ROUNDING } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { Fit, NodeState } from '../nodes/node-model.ts';
import type { PackingRules } from './best-value.ts';
import { machineOptionsOf } from './machine-options.ts';
import { MixFiller } from './mix-filler.ts';
import type { FilledMix, MixMachine } from './mix-filler.ts';
import { machineFor, mixAfter, movesFrom, wholeMix } from './mix-moves.ts';
import { candidatesOf, withoutLargerMachines, partAtNodeCost, mixParts, totalsWith } from './mix-parts.ts';
import type { MixPart } from './mix-parts.ts';
import { NODE_COST_PER_HOUR } from './unit-prices.ts';
import { totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import type { MachineOption } from './unit-prices.ts';

/**
 * The largest machines of the first mixes, in milli-cores: nodes that are smaller waste more on daemons, larger ones
 * run out of pods.
 */
const CAPS = [Number.POSITIVE_INFINITY, 66_000, 50_000, 34_000, 17_000, 9000];
/** How much more than what the pods want the first mixes have. */
const MARGINS = [1, 1.01, 1.03];
/**
 * A first mix is filled if its machines cost at most so many times the best mix so far. Filled, it may cost less:
 * each node counts at the cheapest type that carries it. Of 150 mixes in realistic questions, none at 1.01 times the
 * best or more became better. Filling them took half of the time of all first mixes.
 */
const WORTH_FILLING = 1.02;
/** A mix is searched only where so many mixes can be tried. */
const LEAST_MIXES = 12;

/** What a second search counts for a node, in prices of a mean machine: it finds mixes of fewer nodes. */
const NODE_SHARE = 0.05;
/** How much of the tries of the first search each further one has, and how many at most. */
const SHARE_OF_TRIES = 0.1;
const MOST_TRIES = 20_000;
/** Two packings differ much in nodes where one has so many, and so many times those of the other. */
const MANY_NODES = 5;
const MANY_MORE = 1.5;

/** One search: what a node costs in it, its first mixes, and how often it may try a batch. */
interface MixLevel {
  readonly nodeCostPerHour: number;
  readonly parts: readonly MixPart[];
  readonly caps: readonly number[];
  readonly margins: readonly number[];
  readonly effort: { tries: number };
}

/** `tries`: those of the first search. */
const furtherEffort = (tries: number): MixLevel['effort'] => ({ tries: Math.min(MOST_TRIES, SHARE_OF_TRIES * tries) });

const sumOf = (parts: readonly MixPart[], of: (part: MixPart) => number): number => parts.reduce((sum, part) => sum + of(part), 0);

/**
 * The searches for the parts. What a node costs by the user's word only chooses among what they find, so that a higher
 * price does not lead to more nodes; where it is beyond those of all searches, there is one more for it.
 */
const levelsOf = (parts: readonly MixPart[], tries: number, statedPerHour: number): readonly MixLevel[] => {
  const meanPrice = sumOf(parts, ({ fluidCost }) => fluidCost) / sumOf(parts, ({ fluidNodes }) => fluidNodes);
  const fewNodesPerHour = NODE_COST_PER_HOUR + NODE_SHARE * meanPrice;
  const costs = statedPerHour > fewNodesPerHour ? [fewNodesPerHour, statedPerHour] : [fewNodesPerHour];
  const fewerNodes = costs.map((nodeCostPerHour): MixLevel => {
    return {
      nodeCostPerHour,
      parts: parts.map((part) => partAtNodeCost(part, nodeCostPerHour)),
      caps: CAPS.slice(0, 1),
      margins: [1.01],
      effort: furtherEffort(tries),
    };
  });
  return [{ nodeCostPerHour: NODE_COST_PER_HOUR, parts, caps: CAPS, margins: MARGINS, effort: { tries } }, ...fewerNodes];
};

/** Searches whole mixes of machines that carry some pods. */
class MixSearch {
  best: { readonly filled: FilledMix; readonly mix: readonly MixMachine[] } | undefined;
  readonly #level: MixLevel;
  readonly #batches: readonly PodBatch[];
  readonly #partOf: readonly MixPart[];
  readonly #filler: MixFiller;
  readonly #machines = new Map<NodeState, Map<number, MixMachine>>();
  readonly #numberOf = identities();
  /** Mixes that were tried, as texts. */
  readonly #tried = new Set<string>();

  constructor(level: MixLevel, rules: Omit<MixRules, 'effort'>) {
    const { parts, effort } = level;
    this.#level = level;
    this.#batches = parts.flatMap(({ batches }) => batches);
    this.#partOf = parts.flatMap((part) => part.batches.map(() => part));
    const { unitPrices } = itemAt(parts, 0);
    this.#filler = new MixFiller(this.#batches, { ...rules, effort, unitPrices, another: (left) => this.#another(left) });
  }

  /** Mixes rounded from the fluid one, with machines up to several sizes. */
  *trying(): Steps<void> {
    const { parts, caps, margins } = this.#level;
    let kept = Number.POSITIVE_INFINITY;
    for (const cap of caps) {
      const capped = parts.map((part) => ({ ...part, table: withoutLargerMachines(part.table, cap) }));
      const options = sumOf(capped, ({ table }) => table.options.length);
      // A cap that leaves out no further machine leads to the same mixes again.
      if (options === kept) continue;
      kept = options;
      for (const margin of margins) {
        const ofParts = capped.map((part) => this.#firstMix(part, margin));
        const mix = ofParts.every((machines) => machines !== undefined) ? ofParts.flat() : undefined;
        if (mix !== undefined && this.#isWorthFilling(mix)) this.#try(mix);
        yield;
      }
    }
  }

  /** Cheaper mixes near the best one, until there is none or the tries are used up. */
  *descending(): Steps<void> {
    const { parts, nodeCostPerHour, effort } = this.#level;
    const candidates = parts.flatMap((part) => candidatesOf(part)).map(({ option, start }) => this.#machine(option, start));
    const totals = parts.map((part) => part.totals).reduce((sum, each) => sum.map((amount, resource) => amount + amountAt(each, resource)));
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      const { mix = [] } = this.best ?? {};
      for (const move of movesFrom(mix, candidates, { totals, nodeCostPerHour })) {
        if (effort.tries <= 0) return;
        isBetter = this.#try(mixAfter(mix, move));
        yield;
        if (isBetter) break;
      }
    }
  }

  #firstMix({ table, totals, start }: MixPart, margin: number): readonly MixMachine[] | undefined {
    const mix = wholeMix(
      totals.map((amount) => amount * margin),
      table,
    );
    return mix?.map((option) => this.#machine(option, start));
  }

  #isWorthFilling(mix: readonly MixMachine[]): boolean {
    const { nodeCostPerHour } = this.#level;
    const cost = mix.reduce((sum, { option }) => sum + option.machinePricePerHour + nodeCostPerHour, 0);
    return this.best === undefined || cost <= WORTH_FILLING * this.#costOf(this.best.filled);
  }

  /** Whether the mix is the best so far. */
  #try(mix: readonly MixMachine[]): boolean {
    const key = mix
      .map((machine) => this.#numberOf(machine))
      .sort((a, b) => a - b)
      .join();
    if (this.#tried.has(key)) return false;
    this.#tried.add(key);
    const filled = this.#filler.fill(mix);
    if (filled === undefined || (this.best !== undefined && this.#costOf(filled) >= this.#costOf(this.best.filled) - ROUNDING))
      return false;
    this.best = { filled, mix: filled.machines.map((machine, node) => this.#cheapest(machine, itemAt(filled.fits, node))) };
    return true;
  }

  #costOf({ pricePerHour, fits }: FilledMix): number {
    return pricePerHour + fits.length * this.#level.nodeCostPerHour;
  }

  /** The machine that carries the node in the end. */
  #cheapest({ option, start }: MixMachine, { cheapest: { type } }: Fit): MixMachine {
    const table = this.#level.parts.find((part) => part.start === start)?.table;
    return this.#machine(table?.options.find((each) => each.type === type) ?? option, start);
  }

  #machine(option: MachineOption, start: NodeState): MixMachine {
    const ofStart = getOrMake(this.#machines, start, () => new Map<number, MixMachine>());
    return getOrMake(ofStart, option.type, () => ({ option, start }));
  }

  /** For the pods that are left of the first part that has any. */
  #another(left: ReadonlyMap<number, number>): MixMachine | undefined {
    const [first] = left.keys();
    if (first === undefined) return undefined;
    const batch = itemAt(this.#batches, first);
    const part = itemAt(this.#partOf, first);
    const counts = new Float64Array(this.#batches.length);
    for (const [number, count] of left) if (this.#partOf[number] === part) counts[number] = count;
    const mayHold = ({ amounts }: MachineOption): boolean =>
      batch.resourceIds.every((resource, i) => amountAt(amounts, resource) >= amountAt(batch.amounts, i));
    const option = machineFor(totalsOf(this.#batches, counts, part.totals.length), part.table, mayHold);
    return option && { option, start: part.start };
  }
}

/** How many tries it takes to fill one mix of so many nodes. */
const triesToFill = (nodes: number, batches: readonly PodBatch[]): number =>
  nodes * batches.reduce((sum, { count }) => sum + 1 + count / 8, 0);

/** The fewest nodes that any mix for the batches has: each at most as large as the largest machine of each resource. */
const leastNodes = (initial: NodeState, batches: readonly PodBatch[], { allowedTypes }: MixRules): number => {
  const totals = totalsWith(initial, batches);
  const most = machineOptionsOf(initial, allowedTypes).mostOf(totals.length);
  return totals.reduce((least, amount, resource) => (amount > 0 ? Math.max(least, amount / amountAt(most, resource)) : least), 0);
};

/** What a search for the cheapest mix may use. */
export type MixRules = Pick<PackingRules, 'allowedTypes' | 'isAllowed' | 'effort'>;

/** The best mix that one search finds. */
function* searching(level: MixLevel, rules: MixRules): Steps<FilledMix | undefined> {
  const search = new MixSearch(level, rules);
  yield* search.trying();
  yield* search.descending();
  return search.best?.filled;
}

/** The same level from a mix that has just what the pods want. */
const fromTightMix = (level: MixLevel, effort: MixLevel['effort']): MixLevel => ({ ...level, margins: MARGINS.slice(0, 1), effort });

/** Whether two numbers of nodes differ much. */
export const differMuch = (one: number, other: number): boolean =>
  Math.max(one, other) >= Math.max(MANY_NODES, MANY_MORE * Math.min(one, other));

/** Whether the second mix has far fewer nodes. */
const hasFarFewer = (cheapest: FilledMix | undefined, fewer: FilledMix | undefined): boolean =>
  cheapest !== undefined && fewer !== undefined && differMuch(cheapest.fits.length, fewer.fits.length);

/** Packings to choose from, and what fractions of machines would cost. */
export interface MixedPacking {
  readonly packings: readonly (readonly NewNode[])[];
  readonly fluidCost: number;
}

/**
 * All batches on mixes of machines that are chosen as a whole: rounded from the fluid mix, filled evenly, and made
 * cheaper machine by machine; the cheapest, and some of fewer nodes. Undefined where there are too many pods to fill
 * several mixes, or some pod fits no machine.
 */
export function* packingByMix(initial: NodeState, batches: readonly PodBatch[], rules: MixRules): Steps<MixedPacking | undefined> {
  const { effort } = rules;
  const allowance = effort.tries / 2;
  const mayTry = (nodes: number): boolean => triesToFill(nodes, batches) * LEAST_MIXES <= allowance;
  if (!mayTry(leastNodes(initial, batches, rules))) return undefined;
  const parts = mixParts(batches, initial, { ...rules, nodeCostPerHour: NODE_COST_PER_HOUR });
  if (parts === undefined || !mayTry(sumOf(parts, ({ fluidNodes }) => fluidNodes))) return undefined;
  const stated = initial.template.nodePricePerHour + NODE_COST_PER_HOUR;
  const levels = levelsOf(parts, allowance, stated);
  const found: (FilledMix | undefined)[] = [];
  for (const [index, level] of levels.entries()) {
    found.push(yield* searching(level, rules));
    if (index === 1 && hasFarFewer(found[0], found[1])) found.push(yield* searching(fromTightMix(level, furtherEffort(allowance)), rules));
  }
  effort.tries -= allowance - itemAt(levels, 0).effort.tries;
  const packings = found.flatMap((filled) => (filled === undefined ? [] : [filled.newNodes()]));
  if (packings.length === 0) return undefined;
  return { packings, fluidCost: sumOf(parts, (part) => partAtNodeCost(part, stated).fluidCost) };
}
