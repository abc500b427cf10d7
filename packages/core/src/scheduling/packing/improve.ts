import type { Steps } from '../../base/index.ts';
import type { Fit } from '../places/fit.ts';
import type { Draft } from '../places/draft.ts';
import type { NodeState } from '../places/node-state.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import { keepsLimits, limitsOf, poolBudget } from '../places/pool-budget.ts';
import type { Question, Solution } from '../solve.ts';
import { packingGreedily } from './greedy.ts';
import type { Manner } from './greedy.ts';
import { nodeCost, priceOf } from './node-cost.ts';
import { parcelsOf, wishesOf } from './parcel.ts';
import type { Parcel } from './parcel.ts';

/** Most looks at a pod class that one packing may take: some tenths of a second. */
const WORK = 4_000_000;

const sum = (drafts: readonly Draft[], cost: (fit: Fit) => number): number => drafts.reduce((total, { fit }) => total + cost(fit), 0);

/** Whether the second packing is to be had for less, all costs weighed, without a higher price. */
const isCheaper = (before: readonly Draft[], after: readonly Draft[]): boolean => sum(after, nodeCost) < sum(before, nodeCost) - 1e-9;

/** Nodes on which some pod was placed with an eye to where others are, or with whom it shares a volume, and those out of a reservation: they stay as they are. */
const isSettled = ({ fit, runs }: Draft): boolean =>
  fit.state.template.reservation !== undefined ||
  runs.some(({ podClass: { topology, shared } }) => topology !== undefined || shared !== undefined);

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

/** The least size of node, in milli-cores, that each try prefers, and how it goes about it. */
const TRIES = [
  { leastCpuMillis: 30_000, packing: packingGreedily },
  { leastCpuMillis: 7000, packing: packingGreedily },
  { leastCpuMillis: 0, packing: packingGreedily },
  { leastCpuMillis: 0, packing: packingApart },
] as const;

function* repacking(all: readonly Draft[], template: NodeTemplate, { gone, shouldStop }: Question): Steps<readonly Draft[]> {
  const kept = all.filter(isSettled);
  const drafts: readonly Draft[] = all.filter((draft) => !isSettled(draft));
  // Packing anew fills nodes to the brim, and full nodes have few types to choose among.
  if (template.initial === undefined || drafts.length === 0 || template.prefersMinValues) return all;
  const allowance = poolBudget(template, gone).allowance();
  const limits = limitsOf(template, gone);
  const parcels = parcelsOf(drafts);
  const firstFitPrice = sum(drafts, priceOf);
  let best: readonly Draft[] = drafts;
  for (const { leastCpuMillis, packing } of TRIES) {
    if (shouldStop()) break;
    const manner = { allowance, leastCpuMillis, costToBeat: sum(best, nodeCost), work: WORK };
    const packed = yield* packing(template.initial, parcels, manner);
    if (packed === undefined || !isCheaper(best, packed) || sum(packed, priceOf) > firstFitPrice) continue;
    if (
      keepsLimits(
        limits,
        [...kept, ...packed].map(({ fit }) => fit),
      )
    )
      best = packed;
  }
  return [...kept, ...best];
}

/**
 * The planned nodes of a solution, packed anew pool by pool where that is cheaper: the same pods in the same pools, never dearer than
 * first-fit. The work is bounded by count, so that the same question has the same answer on any machine.
 */
export function* improving({ drafts, budgets }: Solution, question: Question): Steps<readonly Draft[]> {
  const improved: Draft[] = [];
  for (const template of budgets.keys()) {
    if (template.reservation !== undefined) continue;
    const own = drafts.filter(({ fit }) => fit.state.template.pool === template.pool);
    for (const draft of own.length === 0 ? own : yield* repacking(own, template, question)) improved.push(draft);
  }
  return improved;
}
