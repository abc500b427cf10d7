import type { NewNode, Run } from '../places/new-nodes/new-node.ts';
import { fitOf } from '../places/fit.ts';
import type { Fit, NodeState } from '../places/node-model.ts';
import { typesByPrice } from '../places/node-state.ts';
import type { PackingRules } from './best-value.ts';
import { stateWith, takeRoom } from './fill.ts';
import { HostGroups, HostOccupancy } from './host-rules.ts';
import type { NumberedRules } from './host-rules.ts';
import { nodeCost } from './unit-prices.ts';
import type { PodBatch } from './pod-batch.ts';
import { TermSets } from './pod-batch.ts';
import type { MachineOption } from './unit-prices.ts';

/** A machine to buy, and the state that its node starts from. */
export interface MixMachine {
  readonly option: MachineOption;
  readonly start: NodeState;
}

/** A machine of a mix while it is being filled. */
interface Bin extends MixMachine {
  /** Resource → what is free. */
  readonly room: Float64Array;
  state: NodeState;
  /** Set of terms → the state that the node would take on. */
  next: readonly (NodeState | undefined)[];
  readonly occupancy: HostOccupancy;
  /** PodBatch → how many are there. */
  readonly counts: Map<number, number>;
}

/** Planned nodes that carry all batches. */
export interface FilledMix {
  /** Makes the planned nodes. */
  readonly newNodes: () => readonly NewNode[];
  /** Node by node, what can carry it. */
  readonly fits: readonly Fit[];
  /** What the nodes cost, each at its cheapest type, node costs included. */
  readonly cost: number;
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
const REFUSED = -1;

const priceIn = (state: NodeState, type: number): number => {
  const offering = typesByPrice(state).find((priced) => priced.type === type)?.offering ?? -1;
  return state.template.catalog.offerings[offering]?.pricePerHour ?? Number.POSITIVE_INFINITY;
};

/** Resource → what the pods on the machine take. */
const usedOf = ({ option, room }: Bin): Float64Array => option.amounts.map((amount, resource) => amount - (room[resource] ?? 0));

/**
 * The share of the machine that one more pod would leave of the scarcest resource that it wants; `REFUSED` where there
 * is too little of one.
 */
const leastShareLeft = ({ resourceIds, amounts }: PodBatch, room: Float64Array, machine: MachineOption): number => {
  let least = 1;
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = resourceIds[i] ?? 0;
    const left = (room[resource] ?? 0) - (amounts[i] ?? 0);
    if (left < 0) return REFUSED;
    least = Math.min(least, left / (machine.amounts[resource] ?? 1));
  }
  return least;
};

/** Distributes pods over the machines of a given mix: each pod goes where the scarcest resource is left least scarce. */
export class MixFiller {
  readonly #batches: readonly PodBatch[];
  readonly #rules: FillerRules;
  readonly #termSets = new TermSets();
  /** PodBatch → the number of its set of terms. */
  readonly #setOf: readonly number[];
  readonly #groups = new HostGroups();
  readonly #hosts: readonly (NumberedRules | undefined)[];
  /** Batch numbers, the pods of most worth first. */
  readonly #order: readonly number[];
  /** Bin → the score of the batch that is being placed. */
  #scores = new Float64Array(64);

  constructor(batches: readonly PodBatch[], rules: FillerRules) {
    this.#batches = batches;
    this.#rules = rules;
    this.#setOf = batches.map((batch) => this.#termSets.numberOf(batch));
    this.#hosts = batches.map(({ host }) => host && this.#groups.numbered(host));
    const worths = batches.map(({ resourceIds, amounts }) =>
      amounts.reduce((sum, amount, i) => sum + amount * (rules.unitPrices[resourceIds[i] ?? 0] ?? 0), 0),
    );
    this.#order = [...batches.keys()].sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b);
  }

  /**
   * All batches on these machines, and on more where they do not suffice. Undefined when some pod fits no machine, the
   * mix is far too small, or the nodes cost as much as `costToBeat`.
   */
  fill(mix: readonly MixMachine[], costToBeat: number): FilledMix | undefined {
    const bins = mix.map((machine) => this.#open(machine));
    let left: ReadonlyMap<number, number> = new Map(this.#order.map((number) => [number, this.#batches[number]?.count ?? 0]));
    left = this.#placeAll(bins, left);
    while (left.size > 0) {
      const machine = bins.length < mix.length + MOST_ADDED ? this.#rules.another(left) : undefined;
      if (machine === undefined) return undefined;
      const bin = this.#open(machine);
      left = this.#placeAll([bin], left);
      if (bin.counts.size === 0) return undefined;
      bins.push(bin);
    }
    return this.#finish(
      bins.filter(({ counts }) => counts.size > 0),
      costToBeat,
    );
  }

  #open({ option, start }: MixMachine): Bin {
    const next = this.#nextStates(start, option);
    return {
      option,
      start,
      room: option.amounts.slice(),
      state: start,
      next,
      occupancy: new HostOccupancy(this.#groups.size),
      counts: new Map(),
    };
  }

  /** Pods that would make the machine dearer do not join: they have machines of their own. */
  #nextStates(state: NodeState, { type, pricePerHour }: MachineOption): Bin['next'] {
    return this.#termSets.sets.map((terms) => {
      const next = stateWith(state, terms, type);
      return next === undefined || next === state || priceIn(next, type) <= pricePerHour ? next : undefined;
    });
  }

  /** Returns what found no room. */
  #placeAll(bins: readonly Bin[], wanted: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
    if (bins.length > this.#scores.length) this.#scores = new Float64Array(2 * bins.length);
    const left = new Map<number, number>();
    for (const [number, count] of wanted) {
      const placed = this.#placeOnBest(bins, number, count);
      if (placed < count) left.set(number, count - placed);
    }
    return left;
  }

  /**
   * Places up to `count` pods one by one, each on the bin with the highest score. Only the score of that bin changes.
   * Returns how many it placed.
   */
  #placeOnBest(bins: readonly Bin[], number: number, count: number): number {
    const scores = this.#scores;
    for (const [index, bin] of bins.entries()) scores[index] = this.#scoreOf(bin, number);
    this.#rules.effort.looks -= bins.length;
    let placed = 0;
    for (; placed < count; placed++) {
      let best = 0;
      for (let index = 1; index < bins.length; index++) if ((scores[index] ?? 0) > (scores[best] ?? 0)) best = index;
      const bin = bins[best];
      if (bin === undefined || (scores[best] ?? REFUSED) === REFUSED) break;
      this.#take(bin, number);
      scores[best] = this.#scoreOf(bin, number);
    }
    this.#rules.effort.looks -= Math.ceil((placed * bins.length) / 8);
    return placed;
  }

  /** The share that would be left of the scarcest resource that the pod wants; `REFUSED` where it cannot go. */
  #scoreOf({ next, room, option, occupancy }: Bin, number: number): number {
    const batch = this.#batches[number];
    if (batch === undefined || next[this.#setOf[number] ?? 0] === undefined) return REFUSED;
    const score = leastShareLeft(batch, room, option);
    const host = score === REFUSED ? undefined : this.#hosts[number];
    return host !== undefined && occupancy.roomFor(host, 1) <= 0 ? REFUSED : score;
  }

  #take(bin: Bin, number: number): void {
    const batch = this.#batches[number];
    if (batch === undefined) return;
    takeRoom(batch, 1, bin.room);
    bin.counts.set(number, (bin.counts.get(number) ?? 0) + 1);
    const host = this.#hosts[number];
    if (host !== undefined) bin.occupancy.add(host, 1);
    const next = bin.next[this.#setOf[number] ?? 0] ?? bin.state;
    if (next === bin.state) return;
    bin.state = next;
    bin.next = this.#nextStates(next, bin.option);
  }

  #finish(bins: readonly Bin[], costToBeat: number): FilledMix | undefined {
    const fits: Fit[] = [];
    let cost = 0;
    for (const bin of bins) {
      const fit = this.#rules.isAllowed(bin.state) ? fitOf(bin.state, usedOf(bin), this.#rules.allowedTypes) : undefined;
      if (fit === undefined) return undefined;
      fits.push(fit);
      cost += nodeCost(fit);
      if (cost >= costToBeat) return undefined;
    }
    return {
      cost,
      fits,
      machines: bins,
      newNodes: () => bins.flatMap((bin, node) => fits.slice(node, node + 1).map((fit) => this.#newNodeOf(bin, fit))),
    };
  }

  #newNodeOf(bin: Bin, fit: Fit): NewNode {
    const runs: Run[] = [];
    let podCount = 0;
    for (const [number, count] of bin.counts) {
      const batch = this.#batches[number];
      const term = batch?.terms[0];
      if (batch === undefined || term === undefined) continue;
      runs.push({ podClass: batch.podClass, term, checks: batch.checks, count });
      podCount += count;
    }
    return { fit, allowedTypes: this.#rules.allowedTypes, used: usedOf(bin), runs, podCount };
  }
}
