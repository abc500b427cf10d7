import { amountAt, idAt, itemAt } from '../../base/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { fitOf } from '../nodes/fit.ts';
import type { Fit, NodeState } from '../nodes/node-model.ts';
import { typesByPrice } from '../nodes/node-state.ts';
import type { PackingRules } from './best-value.ts';
import { stateWith } from './node-filler.ts';
import { HostGroups, HostOccupancy } from './host-rules.ts';
import type { NumberedRules } from './host-rules.ts';
import { machinePriceOf } from './unit-prices.ts';
import { BinRooms, OpenBins, REFUSED } from './open-bins.ts';
import type { PodBatch } from './pod-batch.ts';
import { TermSets, podsIn } from './pod-batch.ts';
import type { MachineOption } from './unit-prices.ts';

/** A machine to buy, and the state that its node starts from. */
export interface MixMachine {
  readonly option: MachineOption;
  readonly start: NodeState;
}

/** A machine of a mix while it is being filled. */
interface Bin extends MixMachine {
  readonly index: number;
  state: NodeState;
  /** Set of terms → the state that the node would take on; undefined where nobody has needed it yet. */
  next: (NodeState | 'none' | undefined)[];
  readonly occupancy: HostOccupancy;
  /** The batches that are there in the order in which they came, and how many of each. */
  readonly numbers: number[];
  readonly counts: number[];
}

/** A batch that is being placed. */
interface IncomingBatch {
  readonly number: number;
  readonly batch: PodBatch;
  /** The number of its set of terms. */
  readonly set: number;
  readonly host: NumberedRules | undefined;
  /** For each of its resources, where it stands in `BinRooms`. */
  readonly places: Int32Array;
}

/** New nodes that carry all batches. */
export interface FilledMix {
  /** Makes the new nodes. */
  readonly newNodes: () => readonly NewNode[];
  /** Node by node, what can carry it. */
  readonly fits: readonly Fit[];
  /** What the machines cost together, each node at its cheapest type. */
  readonly pricePerHour: number;
  /** Node by node, the machine that was filled; a cheaper type may carry it in the end. */
  readonly machines: readonly MixMachine[];
}

/** What a filler works with, beside the batches. */
export interface FillerRules extends Pick<PackingRules, 'allowedTypes' | 'isAllowed' | 'effort'> {
  /** Resource → the worth of a unit: the pods that are worth most come first. */
  readonly unitPrices: Float64Array;
  /** The machine to add for pods that found no room: batch → how many are left. */
  readonly another: (left: ReadonlyMap<number, number>) => MixMachine | undefined;
}

/** Machines that may be added to a mix: with more, the mix was far too small. */
const MOST_ADDED = 40;

/** The price of the type in the state; infinite where the state leaves it no offering. */
const priceIn = (state: NodeState, type: number): number => {
  const priced = typesByPrice(state).find((each) => each.type === type);
  return priced === undefined ? Number.POSITIVE_INFINITY : itemAt(state.template.catalog.offerings, priced.offering).pricePerHour;
};

/** Distributes pods over the machines of a given mix: each pod goes where the scarcest resource is left least scarce. */
export class MixFiller {
  readonly #batches: readonly PodBatch[];
  readonly #rules: FillerRules;
  readonly #termSets = new TermSets();
  readonly #groups = new HostGroups();
  /** Batch numbers, the pods of most worth first. */
  readonly #order: readonly number[];
  readonly #batchesToPlace: readonly IncomingBatch[];
  /** For so many bins at a time. */
  #most = 64;
  #open = new OpenBins(this.#most);
  #rooms: BinRooms;
  /** Reused by each mix: their arrays take longer to make than to empty. */
  readonly #occupancies: HostOccupancy[] = [];

  constructor(batches: readonly PodBatch[], rules: FillerRules) {
    this.#batches = batches;
    this.#rules = rules;
    this.#rooms = new BinRooms(batches, this.#most);
    this.#batchesToPlace = batches.map((batch, number) => ({
      places: this.#rooms.placesOf(batch),
      number,
      batch,
      set: this.#termSets.numberOf(batch),
      host: batch.host && this.#groups.numbered(batch.host),
    }));
    const worths = batches.map(({ resourceIds, amounts }) =>
      amounts.reduce((sum, amount, i) => sum + amount * amountAt(rules.unitPrices, idAt(resourceIds, i)), 0),
    );
    this.#order = [...batches.keys()].sort((a, b) => itemAt(worths, b) - itemAt(worths, a) || a - b);
  }

  /**
   * All batches on these machines, and on more where they do not suffice. Undefined when some pod fits no machine or the
   * mix is far too small.
   */
  fill(mix: readonly MixMachine[]): FilledMix | undefined {
    this.#makeRoom(mix.length + MOST_ADDED);
    const bins = mix.map((machine, index) => this.#binFor(machine, index));
    let left: ReadonlyMap<number, number> = new Map(this.#order.map((number) => [number, itemAt(this.#batches, number).count]));
    left = this.#placeAll(bins, left);
    while (left.size > 0) {
      const machine = bins.length < mix.length + MOST_ADDED ? this.#rules.another(left) : undefined;
      if (machine === undefined) return undefined;
      const bin = this.#binFor(machine, bins.length);
      left = this.#placeAll([bin], left);
      if (bin.numbers.length === 0) return undefined;
      bins.push(bin);
    }
    return this.#finish(bins.filter(({ numbers }) => numbers.length > 0));
  }

  #makeRoom(bins: number): void {
    if (bins <= this.#most) return;
    this.#most = 2 * bins;
    this.#open = new OpenBins(this.#most);
    this.#rooms = new BinRooms(this.#batches, this.#most);
  }

  #binFor({ option, start }: MixMachine, index: number): Bin {
    const occupancy = (this.#occupancies[index] ??= new HostOccupancy(this.#groups.size));
    occupancy.clear();
    this.#rooms.empty(index, option.amounts);
    return { index, option, start, state: start, next: [], occupancy, numbers: [], counts: [] };
  }

  /** Pods that would make the machine dearer do not join: they have machines of their own. */
  #nextOf({ next: known, state, option: { type, machinePricePerHour } }: Bin, set: number): NodeState | 'none' {
    const found = known[set];
    if (found !== undefined) return found;
    const next = stateWith(state, itemAt(this.#termSets.sets, set), type);
    const isAllowed = next !== undefined && (next === state || priceIn(next, type) <= machinePricePerHour);
    return (known[set] = isAllowed ? next : 'none');
  }

  /** Returns what found no room. */
  #placeAll(bins: readonly Bin[], wanted: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
    const left = new Map<number, number>();
    for (const [number, count] of wanted) {
      const placed = this.#placeOnBest(bins, itemAt(this.#batchesToPlace, number), count);
      if (placed < count) left.set(number, count - placed);
    }
    return left;
  }

  /**
   * Places up to `count` pods one by one, each on the bin with the highest score. Only the score of that bin changes.
   * Returns how many it placed.
   */
  #placeOnBest(bins: readonly Bin[], incoming: IncomingBatch, count: number): number {
    const open = this.#open;
    open.clear();
    for (let at = 0; at < bins.length; at++) {
      const score = this.#scoreOf(itemAt(bins, at), incoming);
      if (score !== REFUSED) open.push(at, score);
    }
    open.sort();
    this.#rules.effort.tries -= bins.length;
    let placed = 0;
    for (; placed < count; placed++) {
      const bin = bins[open.first];
      if (bin === undefined) break;
      this.#take(bin, incoming);
      open.rescoreFirst(this.#scoreOf(bin, incoming));
    }
    this.#rules.effort.tries -= Math.ceil((placed * bins.length) / 8);
    return placed;
  }

  /** The share that would be left of the scarcest resource that the pod wants; `REFUSED` where it cannot go. */
  #scoreOf(bin: Bin, { batch, set, host, places }: IncomingBatch): number {
    const { index, occupancy } = bin;
    if (this.#nextOf(bin, set) === 'none') return REFUSED;
    const score = this.#rooms.leastShareLeft(index, places, batch.amounts);
    return score !== REFUSED && host !== undefined && occupancy.roomFor(host, 1) <= 0 ? REFUSED : score;
  }

  #take(bin: Bin, { number, batch, set, host, places }: IncomingBatch): void {
    this.#rooms.take(bin.index, places, batch.amounts);
    const last = bin.numbers.length - 1;
    if (last >= 0 && bin.numbers[last] === number) bin.counts[last] = itemAt(bin.counts, last) + 1;
    else {
      bin.numbers.push(number);
      bin.counts.push(1);
    }
    if (host !== undefined) bin.occupancy.add(host, 1);
    const next = this.#nextOf(bin, set);
    if (next === bin.state || next === 'none') return;
    bin.state = next;
    bin.next = [];
  }

  #finish(bins: readonly Bin[]): FilledMix | undefined {
    const carried: { readonly fit: Fit; readonly bin: Bin; readonly used: Float64Array }[] = [];
    for (const bin of bins) {
      const used = this.#rooms.usedOf(bin.index, bin.option.amounts.length);
      const fit = this.#rules.isAllowed(bin.state) ? fitOf(bin.state, used, this.#rules.allowedTypes) : undefined;
      if (fit === undefined) return undefined;
      carried.push({ fit, bin, used });
    }
    return {
      pricePerHour: carried.reduce((sum, { fit }) => sum + machinePriceOf(fit), 0),
      fits: carried.map(({ fit }) => fit),
      machines: bins,
      newNodes: () =>
        carried.map(({ fit, bin, used }) => ({ fit, allowedTypes: this.#rules.allowedTypes, used, ...podsIn(bin, this.#batches) })),
    };
  }
}
