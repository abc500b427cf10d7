import { hasBit } from '../../base/index.ts';
import type { Column } from '../places/node-template.ts';
import { nextState, typesByPrice } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import { HostCrowd } from './host-rules.ts';
import type { Parcel } from './parcel.ts';
import type { Shelf, Shelves } from './shelf.ts';

/** What one node of a type would carry: so many of each parcel. */
export interface Load {
  readonly state: NodeState;
  readonly used: Float64Array;
  /** Parcel number → count, in the order of filling. */
  readonly counts: ReadonlyMap<number, number>;
}

/** What is left to pack. */
export interface Remaining {
  readonly parcels: readonly Parcel[];
  /** What a node has of each resource, the seat included. */
  readonly columns: readonly Column[];
  readonly counts: Float64Array;
  /** Resource → what all of that wants. */
  readonly demand: Float64Array;
  readonly shelves: Shelves;
  /** Looks at a parcel that may still be taken. */
  readonly effort: { looks: number };
}

const roomFor = ({ resourceIds, amounts }: Parcel, room: Float64Array): number => {
  let most = Number.POSITIVE_INFINITY;
  for (let i = 0; i < resourceIds.length; i++) most = Math.min(most, Math.floor((room[resourceIds[i] ?? 0] ?? 0) / (amounts[i] ?? 1)));
  return most;
};

const takeRoom = ({ resourceIds, amounts }: Parcel, count: number, room: Float64Array): void => {
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = resourceIds[i] ?? 0;
    room[resource] = (room[resource] ?? 0) - (amounts[i] ?? 0) * count;
  }
};

/** How well a parcel goes with the room that is left: large, and in the proportions of the room. Negative where it has no room. */
const scoreOf = ({ resourceIds, amounts }: Parcel, room: Float64Array, weights: Float64Array): number => {
  let score = 0;
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = resourceIds[i] ?? 0;
    const amount = amounts[i] ?? 0;
    if (amount > (room[resource] ?? 0)) return -1;
    score += amount * (weights[resource] ?? 0);
  }
  return score;
};

/** Where the rung would take the node by which the type is cheapest; undefined when none leaves the type to it. */
const stateWith = (state: NodeState, { step }: Parcel, type: number): NodeState | undefined => {
  let best: NodeState | undefined;
  let cheapest = Number.POSITIVE_INFINITY;
  for (const rung of step) {
    const next = nextState(state, rung);
    if (next === undefined || !hasBit(next.types, type)) continue;
    if (step.length === 1) return next;
    const offering = typesByPrice(next).find((priced) => priced.type === type)?.offering ?? cheapest;
    if (offering < cheapest) [best, cheapest] = [next, offering];
  }
  return best;
};

/** A shelf while a node is filled: what did not fit before never will, so the look goes on from where it stood. */
interface Look {
  readonly shelf: Shelf;
  /** How far to go on where something does not fit: a long shelf is sampled, for its neighbours are about as large. */
  readonly stride: number;
  at: number;
  /** No less than the score of the parcel where it stands: the score when it was last asked for, and scores only fall while the node fills. */
  bound: number;
  /** Where its parcels take the node. */
  next: NodeState | undefined;
}

/** Most parcels of one shelf that are looked at for one node, beside those that fit. */
const SAMPLES = 24;

/** One node of a type while it is filled. */
class Filling {
  readonly #type: number;
  readonly #remaining: Remaining;
  readonly #size: Float64Array;
  readonly #room: Float64Array;
  readonly #weights: Float64Array;
  readonly #counts = new Map<number, number>();
  readonly #crowd = new HostCrowd();
  #state: NodeState;
  #looks: Look[];
  #runnerUp = -1;

  constructor(initial: NodeState, type: number, remaining: Remaining) {
    this.#state = initial;
    this.#type = type;
    this.#remaining = remaining;
    this.#size = Float64Array.from(remaining.columns, ({ amounts }) => Math.max(0, amounts[type] ?? 0));
    this.#room = this.#size.slice();
    this.#weights = new Float64Array(this.#size.length);
    this.#looks = remaining.shelves.all.map((shelf) => ({
      shelf,
      stride: Math.ceil(shelf.numbers.length / SAMPLES),
      at: 0,
      bound: 0,
      next: undefined,
    }));
    this.#narrow();
    this.#weigh();
    this.#looks = this.#looks.filter((look) => (look.bound = this.#scoreOf(look)) >= 0);
  }

  /** Again and again the parcel that goes best with the room left. */
  load(): Load {
    for (let look = this.#best(); look !== undefined; look = this.#best()) this.#take(look);
    const { counts } = this.#remaining;
    for (const [number, count] of this.#counts) counts[number] = (counts[number] ?? 0) + count;
    return { state: this.#state, used: this.#size.map((amount, resource) => amount - (this.#room[resource] ?? 0)), counts: this.#counts };
  }

  /** Follows each shelf's wishes from the state of the node; those of which the state or the type is no part are left out from now on. */
  #narrow(): void {
    this.#looks = this.#looks.filter((look) => {
      const parcel = this.#remaining.parcels[look.shelf.numbers[0] ?? 0];
      look.next = parcel && stateWith(this.#state, parcel, this.#type);
      return look.next !== undefined;
    });
  }

  /** What a unit of each resource counts: most where most is left. */
  #weigh(): void {
    for (let resource = 0; resource < this.#size.length; resource++) {
      const whole = this.#size[resource] ?? 0;
      this.#weights[resource] = whole === 0 ? 0 : (this.#room[resource] ?? 0) / whole / whole;
    }
  }

  #best(): Look | undefined {
    this.#weigh();
    for (let best = this.#highest(); best !== undefined; best = this.#highest()) {
      if (this.#isBorne(best)) return best;
      best.at++;
      best.bound = this.#scoreOf(best);
    }
    return undefined;
  }

  /** The look with the highest score. Only those whose bound is the highest are scored anew: two or three of some dozens. */
  #highest(): Look | undefined {
    for (;;) {
      const best = this.#mostPromising();
      if (best === undefined) return undefined;
      best.bound = this.#scoreOf(best);
      if (best.bound >= 0 && best.bound >= this.#runnerUp) return best;
    }
  }

  /** The look with the highest bound; the bound of the next is left in `#runnerUp`. */
  #mostPromising(): Look | undefined {
    let best: Look | undefined;
    let highest = -1;
    let second = -1;
    for (const look of this.#looks) {
      const { bound } = look;
      if (bound > highest) {
        second = highest;
        highest = bound;
        best = look;
      } else if (bound > second) second = bound;
    }
    this.#runnerUp = second;
    return best;
  }

  /** Whether those that are on the node already bear the look's parcel. Asked last, for few parcels care. */
  #isBorne({ shelf, at }: Look): boolean {
    const parcel = this.#remaining.parcels[shelf.numbers[at] ?? 0];
    return parcel !== undefined && this.#seats(parcel) > 0;
  }

  /** The score of the first parcel of the shelf that fits; -1 when none does. */
  #scoreOf(look: Look): number {
    const { parcels, counts } = this.#remaining;
    const { numbers } = look.shelf;
    while (look.at < numbers.length) {
      const number = numbers[look.at] ?? 0;
      const parcel = parcels[number];
      this.#remaining.effort.looks--;
      const isLeft = parcel !== undefined && (counts[number] ?? 0) > 0;
      const score = isLeft ? scoreOf(parcel, this.#room, this.#weights) : -1;
      if (score >= 0) return score;
      if (isLeft && this.#isTooFullFor(look.shelf)) look.at = numbers.length;
      else look.at += isLeft ? look.stride : 1;
    }
    return -1;
  }

  /** Whether not even the smallest of the shelf can have room. */
  #isTooFullFor({ resourceIds, least }: Shelf): boolean {
    for (let i = 0; i < resourceIds.length; i++) if ((this.#room[resourceIds[i] ?? 0] ?? 0) < (least[i] ?? 0)) return true;
    return false;
  }

  #seats({ host }: Parcel): number {
    return host === undefined ? Number.POSITIVE_INFINITY : this.#crowd.roomFor(host, Number.POSITIVE_INFINITY);
  }

  /** Many equal pods go in shares of what would fit, so that the proportions stay balanced. */
  #take({ shelf, at, next }: Look): void {
    const number = shelf.numbers[at] ?? 0;
    const { parcels, counts } = this.#remaining;
    const parcel = parcels[number];
    if (parcel === undefined || next === undefined) return;
    const left = counts[number] ?? 0;
    const share = Math.max(1, Math.floor(Math.min(left, roomFor(parcel, this.#room), this.#seats(parcel)) / 8));
    counts[number] = left - share;
    this.#counts.set(number, (this.#counts.get(number) ?? 0) + share);
    takeRoom(parcel, share, this.#room);
    if (parcel.host !== undefined) this.#crowd.add(parcel.host, share);
    if (next === this.#state) return;
    this.#state = next;
    this.#narrow();
  }
}

/** Fills one node of a type, with as much of what remains as goes well together; what remains is left as it was. */
export const fill = (initial: NodeState, type: number, remaining: Remaining): Load => new Filling(initial, type, remaining).load();
