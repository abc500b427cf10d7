import type { Steps } from '../../base/index.ts';
import type { Draft, Run } from '../places/draft.ts';
import { fitOf } from '../places/fit.ts';
import type { Allowance, Fit } from '../places/fit.ts';
import type { NodeState } from '../places/node-state.ts';
import { fill } from './fill.ts';
import type { Load, Remaining } from './fill.ts';
import { nodeCost } from './node-cost.ts';
import { demandOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';
import { shelvesOf } from './shelf.ts';
import { unitPrices } from './unit-prices.ts';
import type { Ware } from './unit-prices.ts';
import { marketOf, shortlistOf } from './wares.ts';

/** A load with the types that can carry it, and what it costs for each dollar that it is worth. */
interface Bid {
  readonly load: Load;
  readonly fit: Fit;
  readonly ratio: number;
}

const worthOfLoad = (used: Float64Array, prices: Float64Array): number =>
  used.reduce((sum, amount, resource) => sum + amount * (prices[resource] ?? 0), 0);

/** How often the load can be repeated with what is left. */
const repeatsOf = ({ counts }: Load, remaining: Remaining): number => {
  let repeats = Number.POSITIVE_INFINITY;
  for (const [number, count] of counts) repeats = Math.min(repeats, Math.floor((remaining.counts[number] ?? 0) / count));
  return repeats;
};

const draftOf = ({ load, fit }: Bid, allowance: Allowance, parcels: readonly Parcel[]): Draft => {
  const runs: Run[] = [];
  let podCount = 0;
  for (const [number, count] of load.counts) {
    const parcel = parcels[number];
    const [rung] = parcel?.step ?? [];
    if (parcel !== undefined && rung !== undefined) runs.push({ podClass: parcel.podClass, rung, count });
    podCount += count;
  }
  return { fit, allowance, used: load.used, runs, podCount };
};

/** Takes what was packed from what remains, and what is used up from its shelf. */
const takeAway = ({ counts }: Load, repeats: number, remaining: Remaining): void => {
  const usedUp = new Set<number>();
  for (const [number, count] of counts) {
    const left = (remaining.counts[number] ?? 0) - count * repeats;
    remaining.counts[number] = left;
    if (left <= 0) usedUp.add(number);
  }
  if (usedUp.size === 0) return;
  remaining.shelves = remaining.shelves
    .map((shelf) => (shelf.some((number) => usedUp.has(number)) ? shelf.filter((number) => !usedUp.has(number)) : shelf))
    .filter(({ length }) => length > 0);
};

/** How one greedy packing goes about it. */
export interface Manner {
  readonly allowance: Allowance;
  /** Nodes of fewer cpus are bought only for the last of the pods: small ones fill well one by one and leave the awkward rest. */
  readonly leastCpuMillis: number;
  /** Given up as soon as the nodes cost this much. */
  readonly costToBeat: number;
  /** Most looks at a parcel; beyond that only the best buys are tried, and twice beyond it the packing is given up. */
  readonly work: number;
}

const HURRIED = 2;
const TRIED = 12;

/** Everything on as many nodes as it takes, each the best buy for what was left. Undefined when it was given up or something found no node. */
export function* packingGreedily(
  initial: NodeState,
  parcels: readonly Parcel[],
  { allowance, leastCpuMillis, costToBeat, work }: Manner,
): Steps<readonly Draft[] | undefined> {
  const { columns } = initial.template;
  const { wares, frontier } = marketOf(initial, allowance);
  const counts = Float64Array.from(parcels, ({ count }) => count);
  const left = demandOf(parcels, counts, columns.length);
  const remaining: Remaining = { parcels, counts, shelves: shelvesOf(parcels, left, initial.template), work };

  const bidFor = (type: number, prices: Float64Array): Bid | undefined => {
    const load = fill(initial, type, remaining);
    const fit = load.counts.size === 0 ? undefined : fitOf(load.state, load.used, allowance);
    return fit && { load, fit, ratio: nodeCost(fit) / worthOfLoad(load.used, prices) };
  };
  function* choosingAmong(shortlist: readonly Ware[], prices: Float64Array): Steps<Bid | undefined> {
    let best: Bid | undefined;
    for (const { type } of shortlist) {
      yield;
      const bid = bidFor(type, prices);
      if (bid !== undefined && (best === undefined || bid.ratio < best.ratio * (1 - 1e-9))) best = bid;
    }
    return best;
  }
  function* choosingBid(): Steps<Bid | undefined> {
    const prices = unitPrices(left, frontier, columns);
    const isTail = (left[0] ?? 0) < 4 * leastCpuMillis;
    const all = shortlistOf(wares, initial, prices);
    const large = isTail ? all : all.filter(({ type }) => (columns[0]?.amounts[type] ?? 0) >= leastCpuMillis);
    // What is left may fit none of the best buys; then any will do.
    const tried = large.slice(0, remaining.work > 0 ? TRIED : HURRIED);
    return (yield* choosingAmong(tried, prices)) ?? (yield* choosingAmong(all, prices));
  }

  const drafts: Draft[] = [];
  let cost = 0;
  while (remaining.shelves.length > 0) {
    const bid = yield* choosingBid();
    if (bid === undefined || remaining.work < -work || cost >= costToBeat) return undefined;
    const repeats = repeatsOf(bid.load, remaining);
    for (let i = 0; i < repeats; i++) drafts.push(draftOf(bid, allowance, parcels));
    bid.load.used.forEach((amount, resource) => (left[resource] = (left[resource] ?? 0) - amount * repeats));
    cost += nodeCost(bid.fit) * repeats;
    takeAway(bid.load, repeats, remaining);
  }
  return drafts;
}
