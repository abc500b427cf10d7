import { addAt, amountAt, hasBit, idAt, itemAt } from '../../base/index.ts';
import type { EqualTerms } from '../pod-classes/node-term.ts';
import { nextState, typesByPrice } from '../nodes/node-state.ts';
import { HostGroups, HostOccupancy } from './host-rules.ts';
import type { NumberedRules } from './host-rules.ts';
import type { PodBatch, SizeClass, SizeClasses } from './pod-batch.ts';
import type { Column, NodeState } from '../nodes/node-model.ts';

/** The load of one node: how many of each batch it carries. */
export interface Load {
  readonly state: NodeState;
  readonly used: Float64Array;
  /** Batch numbers in the order of filling, and how many of each. */
  readonly numbers: readonly number[];
  readonly counts: readonly number[];
}

/** What is left to pack. */
export interface Remaining {
  readonly batches: readonly PodBatch[];
  /** What a node has of each resource, the seat included. */
  readonly columns: readonly Column[];
  readonly counts: Float64Array;
  /** Resource → what all remaining batches want together. */
  readonly totals: Float64Array;
  readonly sizeClasses: SizeClasses;
  /** How many more times a batch may be tried. */
  readonly effort: { tries: number };
}

const roomFor = ({ resourceIds, amounts }: PodBatch, room: Float64Array): number => {
  let most = Number.POSITIVE_INFINITY;
  for (let i = 0; i < resourceIds.length; i++)
    most = Math.min(most, Math.floor(amountAt(room, idAt(resourceIds, i)) / amountAt(amounts, i)));
  return most;
};

/** Takes what so many pods of the batch want from the room. */
const takeRoom = ({ resourceIds, amounts }: PodBatch, count: number, room: Float64Array): void => {
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = idAt(resourceIds, i);
    addAt(room, resource, -amountAt(amounts, i) * count);
  }
};

/**
 * The state that the node would take on by the term with which the type is cheapest; undefined when no term keeps the
 * type.
 */
export const stateWith = (state: NodeState, terms: EqualTerms, type: number): NodeState | undefined => {
  let best: NodeState | undefined;
  let cheapest = Number.POSITIVE_INFINITY;
  for (const term of terms) {
    const next = nextState(state, term);
    if (next === undefined || !hasBit(next.types, type)) continue;
    if (terms.length === 1) return next;
    const offering = typesByPrice(next).find((priced) => priced.type === type)?.offering ?? cheapest;
    if (offering < cheapest) [best, cheapest] = [next, offering];
  }
  return best;
};

const amountsOf = (batches: readonly PodBatch[], resourceCount: number): Float64Array => {
  const all = new Float64Array(batches.length * resourceCount);
  batches.forEach(({ resourceIds, amounts }, number) => {
    for (let i = 0; i < resourceIds.length; i++) all[number * resourceCount + idAt(resourceIds, i)] = amountAt(amounts, i);
  });
  return all;
};

/** How many batches of one size class are tried for one node, those that fit aside. */
const SAMPLES = 24;

/**
 * Beyond so many sets of terms, each is resolved only when a batch of it is next. With hundreds, each pod that joins
 * would lead to hundreds of new states.
 */
const FEW_TERM_SETS = 32;

/** Batches that the pods on one node may keep off before size classes are sampled for them too. */
const MOST_KEPT_OFF = 256;

/**
 * Fills one node after the other with what remains, so that its resources are used evenly. One filler serves all nodes
 * of a packing: its columns are reused, where objects would be made for each of thousands of nodes.
 */
export class Filler {
  readonly #initial: NodeState;
  readonly #remaining: Remaining;
  /** PodBatch × resource → amount, in one piece. */
  readonly #amounts: Float64Array;
  readonly #size: Float64Array;
  readonly #room: Float64Array;
  readonly #weights: Float64Array;
  #type = 0;
  #state: NodeState;
  /** PodBatch → its host rules; undefined for most, which have none. */
  readonly #hosts: readonly (NumberedRules | undefined)[];
  readonly #occupancy: HostOccupancy;
  #hostRoom = 0;
  /** How many batches the pods on the node have kept off. */
  #keptOff = 0;
  /** Set of terms → the state that the node would take on; of many sets, that from an earlier state. */
  #next: (NodeState | undefined)[] = [];
  readonly #areManyTermSets: boolean;
  /** PodBatch → count on the node, and the numbers of the batches on it. */
  readonly #taken: Float64Array;
  #numbers: number[] = [];

  /**
   * The size classes in play, the first `#cursorCount` of the array: one for each cursor. A cursor only moves on in its
   * size class, since what did not fit never will.
   */
  readonly #sizeClasses: SizeClass[] = [];
  #cursorCount = 0;
  /** Cursor → its position. */
  readonly #at: Int32Array;
  /** Cursor → its score when last asked for: an upper bound, since scores only fall while the node fills. */
  readonly #bounds: Float64Array;

  constructor(initial: NodeState, remaining: Remaining) {
    const { columns, batches, sizeClasses } = remaining;
    this.#initial = initial;
    this.#state = initial;
    this.#remaining = remaining;
    this.#areManyTermSets = sizeClasses.termSets.sets.length > FEW_TERM_SETS;
    this.#amounts = amountsOf(batches, columns.length);
    this.#size = new Float64Array(columns.length);
    this.#room = new Float64Array(columns.length);
    this.#weights = new Float64Array(columns.length);
    this.#taken = new Float64Array(batches.length);
    const groups = new HostGroups();
    this.#hosts = batches.map(({ host }) => host && groups.numbered(host));
    this.#occupancy = new HostOccupancy(groups.size);
    this.#at = new Int32Array(sizeClasses.all.length);
    this.#bounds = new Float64Array(sizeClasses.all.length);
  }

  /**
   * One node of the type, filled with the batch that suits the remaining room best, again and again. Changes nothing
   * of what remains.
   */
  fill(type: number): Load {
    this.#begin(type);
    for (let cursor = this.#best(); cursor >= 0; cursor = this.#best()) this.#take(cursor);
    return this.#finish();
  }

  #begin(type: number): void {
    this.#type = type;
    this.#state = this.#initial;
    this.#occupancy.clear();
    this.#keptOff = 0;
    this.#numbers = [];
    this.#cursorCount = 0;
    const { columns } = this.#remaining;
    for (let resource = 0; resource < columns.length; resource++)
      this.#size[resource] = Math.max(0, amountAt(itemAt(columns, resource).amounts, type));
    this.#room.set(this.#size);
    this.#follow();
    this.#weigh();
    for (const sizeClass of this.#remaining.sizeClasses.all) if (this.#next[sizeClass.termSet] !== undefined) this.#addCursor(sizeClass);
  }

  #addCursor(sizeClass: SizeClass): void {
    const cursor = this.#cursorCount;
    this.#sizeClasses[cursor] = sizeClass;
    this.#at[cursor] = 0;
    const score = this.#scoreOf(cursor);
    this.#bounds[cursor] = score;
    if (score >= 0) this.#cursorCount = cursor + 1;
  }

  #finish(): Load {
    const { counts } = this.#remaining;
    const taken: number[] = [];
    for (const number of this.#numbers) {
      const count = amountAt(this.#taken, number);
      taken.push(count);
      addAt(counts, number, count);
      this.#taken[number] = 0;
    }
    const used = new Float64Array(this.#size.length);
    for (let resource = 0; resource < used.length; resource++)
      used[resource] = amountAt(this.#size, resource) - amountAt(this.#room, resource);
    return { state: this.#state, used, numbers: this.#numbers, counts: taken };
  }

  /** Works out where each set of terms would take the node from its present state. */
  #follow(): void {
    this.#next = this.#remaining.sizeClasses.termSets.sets.map((terms) => stateWith(this.#state, terms, this.#type));
  }

  /** Whether the batches of the cursor can still join the node; drops them where they cannot. */
  #mayJoin(cursor: number): boolean {
    const { termSet, numbers } = itemAt(this.#sizeClasses, cursor);
    const next = stateWith(this.#state, itemAt(this.#remaining.sizeClasses.termSets.sets, termSet), this.#type);
    this.#next[termSet] = next;
    if (next !== undefined) return true;
    this.#at[cursor] = numbers.length;
    this.#bounds[cursor] = -1;
    return false;
  }

  /** Drops the size classes whose batches can no longer join the node. */
  #narrow(): void {
    let kept = 0;
    for (let cursor = 0; cursor < this.#cursorCount; cursor++) {
      const sizeClass = itemAt(this.#sizeClasses, cursor);
      if (this.#next[sizeClass.termSet] === undefined) continue;
      this.#sizeClasses[kept] = sizeClass;
      this.#at[kept] = idAt(this.#at, cursor);
      this.#bounds[kept] = amountAt(this.#bounds, cursor);
      kept++;
    }
    this.#cursorCount = kept;
  }

  /** Weighs the resources: the larger the share that is left, the heavier. */
  #weigh(): void {
    for (let resource = 0; resource < this.#size.length; resource++) {
      const whole = amountAt(this.#size, resource);
      this.#weights[resource] = whole === 0 ? 0 : amountAt(this.#room, resource) / whole / whole;
    }
  }

  #best(): number {
    this.#weigh();
    for (let best = this.#highest(); best >= 0; best = this.#highest()) {
      if (this.#areManyTermSets && !this.#mayJoin(best)) continue;
      if (this.#isAllowedOnHost(best)) return best;
      this.#remaining.effort.tries--;
      // Else thousands of pods that keep each other away would all be tried beside each of them.
      const isSampled = ++this.#keptOff > MOST_KEPT_OFF;
      this.#at[best] = idAt(this.#at, best) + (isSampled ? Math.ceil(itemAt(this.#sizeClasses, best).numbers.length / SAMPLES) : 1);
      this.#bounds[best] = this.#scoreOf(best);
    }
    return -1;
  }

  /**
   * The cursor with the highest score. Scores again only those with a bound above the best score so far: a handful out
   * of dozens.
   */
  #highest(): number {
    const bounds = this.#bounds;
    let best = this.#mostPromising();
    if (best < 0) return -1;
    let highest = this.#scoreOf(best);
    bounds[best] = highest;
    for (let cursor = 0; cursor < this.#cursorCount; cursor++) {
      if (amountAt(bounds, cursor) <= highest) continue;
      const score = this.#scoreOf(cursor);
      bounds[cursor] = score;
      if (score > highest) [best, highest] = [cursor, score];
    }
    return highest < 0 ? -1 : best;
  }

  /** The cursor with the highest bound; -1 when nothing is left in any. */
  #mostPromising(): number {
    const bounds = this.#bounds;
    let best = -1;
    let highest = -1;
    for (let cursor = 0; cursor < this.#cursorCount; cursor++) {
      const bound = amountAt(bounds, cursor);
      if (bound > highest) {
        highest = bound;
        best = cursor;
      }
    }
    return best;
  }

  /**
   * Whether the host rules allow the cursor's batch beside the others; sets `#hostRoom` to how many of it. Asked last:
   * few batches have such rules.
   */
  #isAllowedOnHost(cursor: number): boolean {
    const host = this.#hosts[this.#numberAt(cursor)];
    this.#hostRoom = host === undefined ? Number.POSITIVE_INFINITY : this.#occupancy.roomFor(host, Number.POSITIVE_INFINITY);
    return this.#hostRoom > 0;
  }

  #numberAt(cursor: number): number {
    return itemAt(itemAt(this.#sizeClasses, cursor).numbers, idAt(this.#at, cursor));
  }

  /** The score of the first batch of the cursor that fits; -1 when none does. */
  #scoreOf(cursor: number): number {
    const sizeClass = itemAt(this.#sizeClasses, cursor);
    const { numbers } = sizeClass;
    let at = idAt(this.#at, cursor);
    let score = -1;
    while (at < numbers.length && score < 0) {
      const number = itemAt(numbers, at);
      const isLeft = amountAt(this.#remaining.counts, number) > 0;
      this.#remaining.effort.tries--;
      if (isLeft) score = this.#scoreOfBatch(number, sizeClass.resourceIds);
      if (score < 0) at = isLeft ? this.#passedBy(cursor, sizeClass) : at + 1;
      this.#at[cursor] = at;
    }
    return score;
  }

  /**
   * Where a cursor continues when its batch does not fit. At the end of the size class when not even the smallest
   * fits, else further on. Long size classes are sampled, because neighbours are about the same size.
   */
  #passedBy(cursor: number, sizeClass: SizeClass): number {
    const { length } = sizeClass.numbers;
    return this.#isTooFullFor(sizeClass) ? length : idAt(this.#at, cursor) + Math.ceil(length / SAMPLES);
  }

  /**
   * How well a batch suits the remaining room: the larger and the closer to its proportions, the higher. -1 when it
   * does not fit.
   */
  #scoreOfBatch(number: number, resourceIds: Int32Array): number {
    const room = this.#room;
    const weights = this.#weights;
    const row = number * room.length;
    let score = 0;
    for (let i = 0; i < resourceIds.length; i++) {
      const resource = idAt(resourceIds, i);
      const amount = amountAt(this.#amounts, row + resource);
      if (amount > amountAt(room, resource)) return -1;
      score += amount * amountAt(weights, resource);
    }
    return score;
  }

  /** Whether not even the smallest batch of the size class fits. */
  #isTooFullFor({ resourceIds, least }: SizeClass): boolean {
    for (let i = 0; i < resourceIds.length; i++) if (amountAt(this.#room, idAt(resourceIds, i)) < amountAt(least, i)) return true;
    return false;
  }

  /** Equal pods are added an eighth of what would fit at a time, so that the proportions stay balanced. */
  #take(cursor: number): void {
    const number = this.#numberAt(cursor);
    const { batches, counts } = this.#remaining;
    const batch = itemAt(batches, number);
    const next = itemAt(this.#next, itemAt(this.#sizeClasses, cursor).termSet);
    const left = amountAt(counts, number);
    const share = Math.max(1, Math.floor(Math.min(left, roomFor(batch, this.#room), this.#hostRoom) / 8));
    counts[number] = left - share;
    if (this.#taken[number] === 0) this.#numbers.push(number);
    addAt(this.#taken, number, share);
    takeRoom(batch, share, this.#room);
    const host = this.#hosts[number];
    if (host !== undefined) this.#occupancy.add(host, share);
    if (next === this.#state) return;
    this.#state = next;
    if (this.#areManyTermSets) return;
    this.#follow();
    this.#narrow();
  }
}
