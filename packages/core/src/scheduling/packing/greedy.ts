import type { Steps } from '../../base/index.ts';
import { resourceRanks } from '../../catalog/index.ts';
import type { Draft, Run } from '../places/drafts/draft.ts';
import type { Allowance } from '../places/fit.ts';
import type { NodeState } from '../places/node-state.ts';
import type { Column, NodeTemplate } from '../places/node-template.ts';
import { Bidding } from './bidding.ts';
import type { Bid, Manner } from './bidding.ts';
import type { Load, Remaining } from './fill.ts';
import { nodeCost } from './node-cost.ts';
import { demandOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';
import { Shelves } from './shelves.ts';

/** How often the load can be repeated with what is left. */
const repeatsOf = ({ numbers, counts }: Load, remaining: Remaining): number => {
  let repeats = Number.POSITIVE_INFINITY;
  numbers.forEach((number, i) => {
    repeats = Math.min(repeats, Math.floor((remaining.counts[number] ?? 0) / (counts[i] ?? 1)));
  });
  return repeats;
};

/** So many nodes of one load. */
interface Purchase {
  readonly bid: Bid;
  readonly repeats: number;
}

const runsOf = ({ numbers, counts }: Load, parcels: readonly Parcel[]): Run[] => {
  const runs: Run[] = [];
  for (let i = 0; i < numbers.length; i++) {
    const parcel = parcels[numbers[i] ?? 0];
    const rung = parcel?.step[0];
    if (parcel !== undefined && rung !== undefined) runs.push({ podClass: parcel.podClass, rung, count: counts[i] ?? 0 });
  }
  return runs;
};

/** The drafts of what is bought in the end; all that is the same in those of one load is one value. */
const draftsOf = (purchases: readonly Purchase[], allowance: Allowance, parcels: readonly Parcel[]): readonly Draft[] => {
  const drafts: Draft[] = [];
  for (const { bid, repeats } of purchases) {
    const { load, fit } = bid;
    const runs = runsOf(load, parcels);
    const podCount = load.counts.reduce((sum, count) => sum + count, 0);
    for (let i = 0; i < repeats; i++) drafts.push({ fit, allowance, used: load.used, runs, podCount });
  }
  return drafts;
};

/** Takes what was packed from what remains, and what is used up from its shelf. */
const takeAway = ({ numbers, counts, used }: Load, repeats: number, remaining: Remaining): void => {
  const { demand, shelves } = remaining;
  numbers.forEach((number, i) => {
    const left = (remaining.counts[number] ?? 0) - (counts[i] ?? 0) * repeats;
    remaining.counts[number] = left;
    if (left <= 0) shelves.remove(number);
  });
  used.forEach((amount, resource) => (demand[resource] = (demand[resource] ?? 0) - amount * repeats));
};

/** The columns of a template and, after them, the seat: one on each node. */
const columnsWithSeat = ({ columns, catalog }: NodeTemplate): readonly Column[] => {
  const amounts = new Float64Array(catalog.types.length).fill(1);
  return [...columns, { amounts, ranks: resourceRanks(amounts) }];
};

/** Looks at a parcel between two pauses, and those for one more node: some tenths of a millisecond. */
const LOOKS_A_STEP = 4096;

/** Everything on as many nodes as it takes, each the best buy for what was left. Undefined when it was given up or something found no node. */
export function* packingGreedily(initial: NodeState, parcels: readonly Parcel[], manner: Manner): Steps<readonly Draft[] | undefined> {
  const columns = columnsWithSeat(initial.template);
  const counts = Float64Array.from(parcels, ({ count }) => count);
  const demand = demandOf(parcels, counts, columns.length);
  const remaining: Remaining = { parcels, columns, counts, demand, shelves: new Shelves(parcels, demand), effort: manner.effort };
  const bidding = new Bidding(initial, remaining, manner);
  const purchases: Purchase[] = [];
  let repeats = 0;
  let pauseAt = manner.effort.looks;
  for (let cost = 0; remaining.shelves.all.length > 0;) {
    if (manner.effort.looks <= pauseAt) {
      yield;
      pauseAt = manner.effort.looks - LOOKS_A_STEP;
    }
    // Where nodes repeat there are few to choose, but for those with seats.
    const bid = bidding.best(repeats === 1 || demand.at(-1) !== 0);
    if (bid === undefined || cost >= manner.costToBeat) return undefined;
    repeats = repeatsOf(bid.load, remaining);
    purchases.push({ bid, repeats });
    cost += nodeCost(bid.fit) * repeats;
    takeAway(bid.load, repeats, remaining);
  }
  return draftsOf(purchases, manner.allowance, parcels);
}
