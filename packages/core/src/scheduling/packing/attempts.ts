import type { Steps } from '../../base/index.ts';
import type { Draft } from '../places/drafts/draft.ts';
import type { PackingRules } from './best-buy.ts';
import { packingGreedily } from './greedy.ts';
import { rungsText } from './parcel.ts';
import type { Parcel } from './parcel.ts';
import type { NodeState } from '../places/node-model.ts';

/** With more sets of rungs than this, each would have too few pods to fill nodes of its own. */
const MOST_SETS = 8;

/** Parcels by their sets of rungs. */
const byRungs = (parcels: readonly Parcel[]): readonly (readonly Parcel[])[] => {
  const sorts = new Map<string, Parcel[]>();
  for (const parcel of parcels) {
    const key = rungsText(parcel);
    const sort = sorts.get(key);
    if (sort === undefined) sorts.set(key, [parcel]);
    else sort.push(parcel);
  }
  return [...sorts.values()];
};

/** Each set of rungs on nodes of its own: one pod that insists on on-demand would make a whole node of spot pods dearer. */
function* packingApart(initial: NodeState, parcels: readonly Parcel[], rules: PackingRules): Steps<readonly Draft[] | undefined> {
  const sorts = byRungs(parcels);
  if (sorts.length < 2 || sorts.length > MOST_SETS) return undefined;
  const drafts: Draft[] = [];
  for (const sort of sorts) {
    const packed = yield* packingGreedily(initial, sort, rules);
    if (packed === undefined) return undefined;
    drafts.push(...packed);
  }
  return drafts;
}

/** One way to repack everything. */
export interface PackingAttempt extends Pick<PackingRules, 'leastCpuMillis' | 'shares'> {
  readonly packing: (initial: NodeState, parcels: readonly Parcel[], rules: PackingRules) => Steps<readonly Draft[] | undefined>;
}

/** Nodes of at least several sizes, then each set of rungs on nodes of its own. */
export const attempts: readonly PackingAttempt[] = [
  { leastCpuMillis: 7000, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 30_000, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, packing: packingApart },
];

/** For pods that need a node each: nodes of about the size at which there are just enough of them. */
export const seatedAttempts: readonly PackingAttempt[] = [1.3, 2, 3].map((shares) => ({
  leastCpuMillis: 0,
  shares,
  packing: packingGreedily,
}));
