import { hasBit } from '../../base/index.ts';
import { nextState } from '../places/node-state.ts';
import type { NodeState } from '../places/node-state.ts';
import type { Parcel } from './parcel.ts';

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
  /** Parcel numbers with something left. */
  active: readonly number[];
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

/**
 * Fills one node of a type: again and again the parcel that goes best with the room left. Many equal pods go in shares of what would fit, so
 * that the proportions stay balanced.
 */
export const fill = (initial: NodeState, type: number, remaining: Remaining): Load => {
  const size = Float64Array.from(initial.template.columns, ({ amounts }) => Math.max(0, amounts[type] ?? 0));
  const room = size.slice();
  const counts = new Map<number, number>();
  let state = initial;
  let candidates = [...remaining.active];

  const consider = (number: number): Choice | undefined => {
    const parcel = remaining.parcels[number];
    const left = (remaining.counts[number] ?? 0) - (counts.get(number) ?? 0);
    if (parcel === undefined || left <= 0) return undefined;
    const next = nextState(state, parcel.rung);
    if (next === undefined || !hasBit(next.types, type)) return undefined;
    const most = Math.min(left, roomFor(parcel, room));
    return most > 0 ? { number, parcel, state: next, most } : undefined;
  };

  /** What did not fit never will, so it is not considered again. */
  const choose = (): Choice | undefined => {
    let best: Choice | undefined;
    let highest = -1;
    const fitting: number[] = [];
    remaining.work -= candidates.length;
    for (const number of candidates) {
      const choice = consider(number);
      if (choice === undefined) continue;
      fitting.push(number);
      const score = scoreOf(choice.parcel, room, size);
      if (score > highest) [best, highest] = [choice, score];
    }
    candidates = fitting;
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
