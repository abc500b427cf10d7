import type { Draft, Run } from '../places/draft.ts';
import { fitOf } from '../places/fit.ts';
import type { Allowance, Fit } from '../places/fit.ts';
import type { NodeState } from '../places/node-state.ts';
import { fill } from './fill.ts';
import type { Load, Remaining } from './fill.ts';
import { nodeCost } from './node-cost.ts';
import { demandOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';
import { unitPrices } from './unit-prices.ts';
import { frontierOf, shortlistOf, waresOf } from './wares.ts';

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
    if (parcel !== undefined) runs.push({ podClass: parcel.podClass, rung: parcel.rung, count });
    podCount += count;
  }
  return { fit, allowance, used: load.used, runs, podCount };
};

/** Everything on as many nodes as it takes, each the best buy for what was left. Undefined when the work ran out or something found no node. */
export const packGreedily = (
  initial: NodeState,
  parcels: readonly Parcel[],
  { allowance, work }: { readonly allowance: Allowance; readonly work: number },
): readonly Draft[] | undefined => {
  const { columns } = initial.template;
  const wares = waresOf(initial, allowance);
  const frontier = frontierOf(wares, initial);
  const remaining: Remaining = {
    parcels,
    counts: Float64Array.from(parcels, ({ count }) => count),
    active: [...parcels.keys()],
    work,
  };
  const bidFor = (type: number, prices: Float64Array): Bid | undefined => {
    const load = fill(initial, type, remaining);
    const fit = load.counts.size === 0 ? undefined : fitOf(load.state, load.used, allowance);
    return fit && { load, fit, ratio: nodeCost(fit) / worthOfLoad(load.used, prices) };
  };
  const bestBid = (): Bid | undefined => {
    const prices = unitPrices(demandOf(parcels, remaining.counts, columns.length), frontier, columns);
    let best: Bid | undefined;
    for (const { type } of shortlistOf(wares, initial, prices)) {
      const bid = bidFor(type, prices);
      if (bid !== undefined && (best === undefined || bid.ratio < best.ratio * (1 - 1e-9))) best = bid;
    }
    return best;
  };

  const drafts: Draft[] = [];
  while (remaining.active.length > 0 && remaining.work > 0) {
    const bid = bestBid();
    if (bid === undefined) return undefined;
    const repeats = repeatsOf(bid.load, remaining);
    for (let i = 0; i < repeats; i++) drafts.push(draftOf(bid, allowance, parcels));
    for (const [number, count] of bid.load.counts) remaining.counts[number] = (remaining.counts[number] ?? 0) - count * repeats;
    remaining.active = remaining.active.filter((number) => (remaining.counts[number] ?? 0) > 0);
  }
  return remaining.active.length === 0 ? drafts : undefined;
};
