import type { Steps } from '../../base/index.ts';
import { resourceRanks } from '../../catalog/index.ts';
import type { Draft, Run } from '../places/draft.ts';
import type { Allowance } from '../places/fit.ts';
import type { NodeState } from '../places/node-state.ts';
import type { Column, NodeTemplate } from '../places/node-template.ts';
import { Bidding } from './bidding.ts';
import type { Bid, Manner } from './bidding.ts';
import type { Load, Remaining } from './fill.ts';
import { nodeCost } from './node-cost.ts';
import { demandOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';
import { Shelves } from './shelf.ts';

/** How often the load can be repeated with what is left. */
const repeatsOf = ({ numbers, counts }: Load, remaining: Remaining): number => {
  let repeats = Number.POSITIVE_INFINITY;
  numbers.forEach((number, i) => {
    repeats = Math.min(repeats, Math.floor((remaining.counts[number] ?? 0) / (counts[i] ?? 1)));
  });
  return repeats;
};

/** As many drafts of one load; all that is the same in them is one value. */
const draftsOf = (
  { load, fit }: Bid,
  repeats: number,
  { allowance, parcels }: { readonly allowance: Allowance; readonly parcels: readonly Parcel[] },
): readonly Draft[] => {
  const runs: Run[] = [];
  let podCount = 0;
  load.numbers.forEach((number, i) => {
    const count = load.counts[i] ?? 0;
    const parcel = parcels[number];
    const rung = parcel?.step[0];
    if (parcel !== undefined && rung !== undefined) runs.push({ podClass: parcel.podClass, rung, count });
    podCount += count;
  });
  return Array.from({ length: repeats }, () => ({ fit, allowance, used: load.used, runs, podCount }));
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

/** Everything on as many nodes as it takes, each the best buy for what was left. Undefined when it was given up or something found no node. */
export function* packingGreedily(initial: NodeState, parcels: readonly Parcel[], manner: Manner): Steps<readonly Draft[] | undefined> {
  const columns = columnsWithSeat(initial.template);
  const counts = Float64Array.from(parcels, ({ count }) => count);
  const demand = demandOf(parcels, counts, columns.length);
  const remaining: Remaining = { parcels, columns, counts, demand, shelves: new Shelves(parcels, demand), effort: manner.effort };
  const bidding = new Bidding(initial, remaining, manner);
  const drafts: Draft[] = [];
  let repeats = 0;
  for (let cost = 0; remaining.shelves.all.length > 0;) {
    // Where nodes repeat there are few to choose, but for those with seats.
    const bid = yield* bidding.best(repeats === 1 || demand.at(-1) !== 0);
    if (bid === undefined || cost >= manner.costToBeat) return undefined;
    repeats = repeatsOf(bid.load, remaining);
    for (const draft of draftsOf(bid, repeats, { allowance: manner.allowance, parcels })) drafts.push(draft);
    cost += nodeCost(bid.fit) * repeats;
    takeAway(bid.load, repeats, remaining);
  }
  return drafts;
}
