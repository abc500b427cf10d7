import { hasBit } from '../../base/index.ts';
import { nextState, typesByPrice } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import type { Parcel } from './parcel.ts';
import type { Shelf } from './shelf.ts';

/** What one node of a type would carry: so many of each parcel. */
export interface Load {
  readonly state: NodeState;
  readonly used: Float64Array;
  /** Parcel number → count, in the order of filling. */
  readonly counts: ReadonlyMap<number, number>;
}

/** What is left to pack, and how much work may still be spent on it. */
export interface Remaining {
  readonly parcels: readonly Parcel[];
  readonly counts: Float64Array;
  /** Parcel numbers with something left, the largest of each shelf first. */
  shelves: readonly Shelf[];
  work: number;
}

const roomFor = ({ podClass: { resourceIds, amounts } }: Parcel, room: Float64Array): number => {
  let most = Number.POSITIVE_INFINITY;
  for (let i = 0; i < resourceIds.length; i++) most = Math.min(most, Math.floor((room[resourceIds[i] ?? 0] ?? 0) / (amounts[i] ?? 1)));
  return most;
};

/** How well a parcel goes with the room that is left: large, and in the proportions of the room. */
const scoreOf = ({ podClass: { resourceIds, amounts } }: Parcel, room: Float64Array, size: Float64Array): number => {
  let score = 0;
  for (let i = 0; i < resourceIds.length; i++) {
    const resource = resourceIds[i] ?? 0;
    const whole = size[resource] ?? 1;
    score += ((amounts[i] ?? 0) / whole) * ((room[resource] ?? 0) / whole);
  }
  return score;
};

/** A parcel that would fit, where it would take the node, and how many of its pods have room. */
interface Choice {
  readonly number: number;
  readonly parcel: Parcel;
  readonly state: NodeState;
  readonly most: number;
}

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
}

/** Most parcels of one shelf that are looked at for one node, beside those that fit. */
const SAMPLES = 24;

/**
 * Fills one node of a type: again and again the parcel that goes best with the room left. Many equal pods go in shares of what would fit, so
 * that the proportions stay balanced.
 */
export const fill = (initial: NodeState, type: number, remaining: Remaining): Load => {
  const size = Float64Array.from(initial.template.columns, ({ amounts }) => Math.max(0, amounts[type] ?? 0));
  const room = size.slice();
  const counts = new Map<number, number>();
  let state = initial;
  let looks: Look[] = remaining.shelves.map((shelf) => ({ shelf, stride: Math.ceil(shelf.length / SAMPLES), at: 0 }));

  const consider = (number: number): Choice | undefined => {
    const parcel = remaining.parcels[number];
    const left = (remaining.counts[number] ?? 0) - (counts.get(number) ?? 0);
    if (parcel === undefined || left <= 0) return undefined;
    const next = stateWith(state, parcel, type);
    if (next === undefined) return undefined;
    const most = Math.min(left, roomFor(parcel, room));
    return most > 0 ? { number, parcel, state: next, most } : undefined;
  };

  const firstThatFits = (look: Look): Choice | undefined => {
    while (look.at < look.shelf.length) {
      const number = look.shelf[look.at] ?? 0;
      const choice = consider(number);
      remaining.work--;
      if (choice !== undefined) return choice;
      look.at += counts.has(number) ? 1 : look.stride;
    }
    return undefined;
  };

  const choose = (): Choice | undefined => {
    let best: Choice | undefined;
    let highest = -1;
    const open: Look[] = [];
    for (const look of looks) {
      const choice = firstThatFits(look);
      if (choice === undefined) continue;
      open.push(look);
      const score = scoreOf(choice.parcel, room, size);
      if (score > highest) [best, highest] = [choice, score];
    }
    looks = open;
    return best;
  };

  for (let choice = choose(); choice !== undefined; choice = choose()) {
    const { number, parcel, most } = choice;
    const share = Math.max(1, Math.floor(most / 8));
    state = choice.state;
    counts.set(number, (counts.get(number) ?? 0) + share);
    const { resourceIds, amounts } = parcel.podClass;
    resourceIds.forEach((resource, i) => (room[resource] = (room[resource] ?? 0) - (amounts[i] ?? 0) * share));
  }
  return { state, used: size.map((amount, resource) => amount - (room[resource] ?? 0)), counts };
};
