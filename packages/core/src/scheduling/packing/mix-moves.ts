import type { MixMachine } from './mix-filler.ts';

/** A machine that a mix may have. One object for each option and state, so that it can be compared by identity. */
export interface CostedMachine extends MixMachine {
  readonly cost: number;
}

/** A change of a mix that makes it cheaper: up to two machines leave and at most one comes. */
export interface MixMove {
  readonly out: readonly CostedMachine[];
  readonly into: readonly CostedMachine[];
  readonly saved: number;
  /** The smallest surplus of a resource over the requests of the pods, as a share of the requests. */
  readonly slack: number;
}

/**
 * Slacks in the order in which moves are tried: large steps first, then tight ones. A step ends where the next larger
 * begins.
 */
const SLACKS = [0.05, 0.03, 0.015, 0.005, 0];
const MOVES_PER_SLACK = 25;

/** The distinct machines, and all pairs: two equal machines are a pair where the mix has two of them. */
const leavers = (mix: readonly CostedMachine[]): readonly (readonly CostedMachine[])[] => {
  const counts = new Map<CostedMachine, number>();
  for (const machine of mix) counts.set(machine, (counts.get(machine) ?? 0) + 1);
  const distinct = [...counts.keys()];
  const pairs = distinct.flatMap((a, index) => distinct.slice((counts.get(a) ?? 0) > 1 ? index : index + 1).map((b) => [a, b]));
  return [...distinct.map((machine) => [machine]), ...pairs];
};

/** What a mix has of each resource, and what its pods want. */
interface Balance {
  readonly capacity: Float64Array;
  readonly totals: Float64Array;
}

const balanceOf = (mix: readonly CostedMachine[], totals: Float64Array): Balance => {
  const capacity = new Float64Array(totals.length);
  for (const { option } of mix) option.amounts.forEach((amount, resource) => (capacity[resource] = (capacity[resource] ?? 0) + amount));
  return { capacity, totals };
};

const sumOf = (machines: readonly CostedMachine[], resource: number): number =>
  machines.reduce((sum, { option }) => sum + (option.amounts[resource] ?? 0), 0);

const slackAfter = ({ capacity, totals }: Balance, out: MixMove['out'], into: MixMove['into']): number => {
  let slack = Number.POSITIVE_INFINITY;
  for (let resource = 0; resource < totals.length; resource++) {
    const total = totals[resource] ?? 0;
    if (total <= 0) continue;
    slack = Math.min(slack, ((capacity[resource] ?? 0) - sumOf(out, resource) + sumOf(into, resource)) / total - 1);
  }
  return slack;
};

const costOf = (machines: readonly CostedMachine[]): number => machines.reduce((sum, { cost }) => sum + cost, 0);

/** Every move that saves something and leaves enough of each resource. */
const allMoves = (mix: readonly CostedMachine[], candidates: readonly CostedMachine[], totals: Float64Array): readonly MixMove[] => {
  const balance = balanceOf(mix, totals);
  const comers = [[], ...candidates.map((candidate) => [candidate])];
  return leavers(mix).flatMap((out) => {
    const before = costOf(out);
    return comers.flatMap((into): readonly MixMove[] => {
      const saved = before - costOf(into);
      const slack = saved > 1e-9 ? slackAfter(balance, out, into) : -1;
      return slack < 0 ? [] : [{ out, into, saved, slack }];
    });
  });
};

/** The moves to try, in order: of each step of slack those that save the most. */
export const movesFrom = (
  mix: readonly CostedMachine[],
  candidates: readonly CostedMachine[],
  totals: Float64Array,
): readonly MixMove[] => {
  const all = allMoves(mix, candidates, totals);
  return SLACKS.flatMap((least, index) => {
    const most = SLACKS[index - 1] ?? Number.POSITIVE_INFINITY;
    return all
      .filter(({ slack }) => slack >= least && slack < most)
      .sort((a, b) => b.saved - a.saved)
      .slice(0, MOVES_PER_SLACK);
  });
};

/** The mix after the move. */
export const moved = (mix: readonly CostedMachine[], { out, into }: MixMove): readonly CostedMachine[] => {
  const left = [...mix];
  for (const machine of out) left.splice(left.indexOf(machine), 1);
  return [...left, ...into];
};
