import type { Steps } from '../../base/index.ts';
import type { Draft } from '../places/drafts/draft.ts';
import type { NodeState } from '../places/node-state.ts';
import type { Manner } from './bidding.ts';
import { packingGreedily } from './greedy.ts';
import { wishesOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';

/** Most sorts of wishes that are packed apart; more than these hardly ever share too few pods to fill nodes of their own. */
const MOST_SORTS = 8;

/** Parcels by the rungs that they like. */
const bySort = (parcels: readonly Parcel[]): readonly (readonly Parcel[])[] => {
  const sorts = new Map<string, Parcel[]>();
  for (const parcel of parcels) {
    const key = wishesOf(parcel);
    const sort = sorts.get(key);
    if (sort === undefined) sorts.set(key, [parcel]);
    else sort.push(parcel);
  }
  return [...sorts.values()];
};

/** Each sort of wishes on nodes of its own: one pod that insists on on-demand would make a whole node of spot pods dearer. */
function* packingApart(initial: NodeState, parcels: readonly Parcel[], manner: Manner): Steps<readonly Draft[] | undefined> {
  const sorts = bySort(parcels);
  if (sorts.length < 2 || sorts.length > MOST_SORTS) return undefined;
  const drafts: Draft[] = [];
  for (const sort of sorts) {
    const packed = yield* packingGreedily(initial, sort, manner);
    if (packed === undefined) return undefined;
    drafts.push(...packed);
  }
  return drafts;
}

/** One way to pack everything anew. */
export interface Try extends Pick<Manner, 'leastCpuMillis' | 'shares'> {
  readonly packing: (initial: NodeState, parcels: readonly Parcel[], manner: Manner) => Steps<readonly Draft[] | undefined>;
}

/** With nodes of several least sizes, and then with each sort of wishes on nodes of its own. */
export const tries: readonly Try[] = [
  { leastCpuMillis: 7000, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 30_000, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, packing: packingApart },
];

/** Where there must be many nodes anyway: of about the size at which there are just enough of them. */
export const seatedTries: readonly Try[] = [1.3, 2, 3].map((shares) => ({ leastCpuMillis: 0, shares, packing: packingGreedily }));
