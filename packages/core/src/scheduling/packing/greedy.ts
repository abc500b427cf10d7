import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Draft, Run } from '../places/drafts/draft.ts';
import { keptWithin, poolLimits, sharedLimits } from '../places/limits/limit-ledger.ts';
import type { AllowedTypes, Column, NodeState, NodeTemplate } from '../places/node-model.ts';
import { memoByObject } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { resourceRanks } from '../../catalog/index.ts';
import { BestBuy } from './best-buy.ts';
import type { Buy, PackingRules } from './best-buy.ts';
import type { Load, Remaining } from './fill.ts';
import { nodeCost } from './unit-prices.ts';
import { Shelves, orderOf, totalsOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';

const keepingPoolLimits = (drafts: readonly Draft[], gone: readonly NodeView[]): readonly Draft[] => {
  const byPool = new Map<NodePoolView, { readonly template: NodeTemplate; readonly own: Draft[] }>();
  for (const draft of drafts) {
    const { template } = draft.fit.state;
    const ofPool = byPool.get(template.pool);
    if (ofPool === undefined) byPool.set(template.pool, { template, own: [draft] });
    else ofPool.own.push(draft);
  }
  const kept = new Map(
    [...byPool.values()].flatMap(({ template, own }) => {
      const lean = keptWithin(own, poolLimits(template, gone));
      return own.map((draft, index): [Draft, Draft] => [draft, lean[index] ?? draft]);
    }),
  );
  return drafts.map((draft) => kept.get(draft) ?? draft);
};

/**
 * The drafts in their order, each kept to sizes at which the limits of its pool and of the cluster hold however the
 * nodes are launched.
 */
export const keepingLimits = (drafts: readonly Draft[], gone: readonly NodeView[]): readonly Draft[] => {
  const kept = keepingPoolLimits(drafts, gone);
  const [any] = kept;
  return any === undefined ? kept : keptWithin(kept, sharedLimits(any.fit.state.template, gone));
};

/** How often the load can be repeated with what is left. */
const repeatsOf = ({ numbers, counts }: Load, remaining: Remaining): number => {
  let repeats = Number.POSITIVE_INFINITY;
  numbers.forEach((number, i) => {
    repeats = Math.min(repeats, Math.floor((remaining.counts[number] ?? 0) / (counts[i] ?? 1)));
  });
  return repeats;
};

/** Equal nodes that are bought together. */
interface Purchase {
  readonly buy: Buy;
  readonly repeats: number;
}

const runsOf = ({ numbers, counts }: Load, parcels: readonly Parcel[]): Run[] => {
  const runs: Run[] = [];
  for (let i = 0; i < numbers.length; i++) {
    const parcel = parcels[numbers[i] ?? 0];
    const rung = parcel?.rungs[0];
    if (parcel !== undefined && rung !== undefined)
      runs.push({ podClass: parcel.podClass, rung, checks: parcel.checks, count: counts[i] ?? 0 });
  }
  return runs;
};

/** The drafts of all purchases; those of one purchase share everything that is equal. */
const draftsOf = (purchases: readonly Purchase[], allowedTypes: AllowedTypes, parcels: readonly Parcel[]): readonly Draft[] => {
  const drafts: Draft[] = [];
  for (const { buy, repeats } of purchases) {
    const { load, fit } = buy;
    const runs = runsOf(load, parcels);
    const podCount = load.counts.reduce((sum, count) => sum + count, 0);
    for (let i = 0; i < repeats; i++) drafts.push({ fit, allowedTypes, used: load.used, runs, podCount });
  }
  return drafts;
};

/** Subtracts what was packed from what remains; parcels that are used up leave their shelves. */
const takeAway = ({ numbers, counts, used }: Load, repeats: number, remaining: Remaining): void => {
  const { totals, shelves } = remaining;
  numbers.forEach((number, i) => {
    const left = (remaining.counts[number] ?? 0) - (counts[i] ?? 0) * repeats;
    remaining.counts[number] = left;
    if (left <= 0) shelves.remove(number);
  });
  used.forEach((amount, resource) => (totals[resource] = (totals[resource] ?? 0) - amount * repeats));
};

/**
 * The columns of a template and one more for the seat: each node has one. Remembered: a small plan is packed a hundred
 * times.
 */
const columnsWithSeat = memoByObject(({ catalog, columns }: NodeTemplate): readonly Column[] => {
  const amounts = new Float64Array(catalog.types.length).fill(1);
  return [...columns, { amounts, ranks: resourceRanks(amounts) }];
});

/** Looks at parcels between two pauses: some tenths of a millisecond. A pause waits for the end of a node. */
const LOOKS_A_STEP = 4096;

/**
 * All parcels on as many nodes as it takes, each the best buy for what remained. Undefined when that costs too much, or
 * something fits no node.
 */
export function* packingGreedily(initial: NodeState, parcels: readonly Parcel[], rules: PackingRules): Steps<readonly Draft[] | undefined> {
  const columns = columnsWithSeat(initial.template);
  const counts = Float64Array.from(parcels, ({ count }) => count);
  const totals = totalsOf(parcels, counts, columns.length);
  // Thousands of parcels take milliseconds to be added up, to be put in order, to be put on shelves, and to be numbered.
  yield;
  orderOf(parcels, totals);
  yield;
  const remaining: Remaining = { parcels, columns, counts, totals, shelves: new Shelves(parcels, totals), effort: rules.effort };
  yield;
  const bestBuy = new BestBuy(initial, remaining, rules);
  yield;
  const purchases: Purchase[] = [];
  let repeats = 0;
  let pauseAt = rules.effort.looks;
  for (let cost = 0; remaining.shelves.all.length > 0;) {
    if (rules.effort.looks <= pauseAt) {
      yield;
      pauseAt = rules.effort.looks - LOOKS_A_STEP;
    }
    // Only purchases of single nodes, or of nodes with seats, are so frequent that they must be hasty.
    const buy = bestBuy.best(repeats === 1 || totals.at(-1) !== 0);
    if (buy === undefined || cost >= rules.costToBeat) return undefined;
    repeats = repeatsOf(buy.load, remaining);
    purchases.push({ buy, repeats });
    cost += nodeCost(buy.fit) * repeats;
    takeAway(buy.load, repeats, remaining);
  }
  return draftsOf(purchases, rules.allowedTypes, parcels);
}
