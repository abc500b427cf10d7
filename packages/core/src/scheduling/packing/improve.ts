import type { Steps } from '../../base/index.ts';
import type { Draft } from '../places/drafts/draft.ts';
import type { Fit } from '../places/fit.ts';
import { keepsLimits, limitsOf, poolBudget } from '../places/limits/limit-ledger.ts';
import type { Question, Solution } from '../solve/solve.ts';
import type { Topology } from '../topology/topology.ts';
import { nodeCost, priceOf } from './node-cost.ts';
import { areApart, parcelsOf, seated } from './parcel.ts';
import { seatedTries, tries } from './tries.ts';
import type { Try } from './tries.ts';
import { wardsOf } from './repack-group.ts';
import type { Ward } from './repack-group.ts';

/** Looks at a parcel that a question may take: some tenths of a second. */
const LOOKS = 1_300_000;

const podsOn = (drafts: readonly Draft[]): number => drafts.reduce((total, { podCount }) => total + podCount, 0);

/**
 * In wards of so many pods a size of nodes that comes out dearer is the last: of 71 such wards with seats the next size was cheaper in one,
 * by 0.07 %, while each try costs a tenth of the whole plan.
 */
const MANY_PODS = 3000;

/** What is tried, one after the other, and whether the first that comes out dearer is the last. */
const searchFor = (drafts: readonly Draft[], isSeated: boolean): { readonly ways: readonly Try[]; readonly isShort: boolean } =>
  isSeated ? { ways: seatedTries, isShort: podsOn(drafts) >= MANY_PODS } : { ways: tries, isShort: false };

const sum = (drafts: readonly Draft[], cost: (fit: Fit) => number): number => drafts.reduce((total, { fit }) => total + cost(fit), 0);

/** Whether the second packing is to be had for less, all costs weighed, and for no more money than `price`. */
const isCheaper = (before: readonly Draft[], after: readonly Draft[], price: number): boolean =>
  sum(after, nodeCost) < sum(before, nodeCost) - 1e-9 && sum(after, priceOf) <= price;

/** What a ward is packed anew by. */
interface Task {
  readonly ward: Ward;
  /** Looks that may be taken. */
  readonly looks: number;
  readonly question: Question;
  /** Whether the pool's limits bear these in place of the ward's nodes. */
  readonly isWithinLimits: (drafts: readonly Draft[]) => boolean;
}

/** The ward's nodes, packed by one try after the other: the cheapest that is within limits, and never dearer than they were. */
function* repackingWard({ ward, looks, question, isWithinLimits }: Task): Steps<readonly Draft[]> {
  const { start, drafts, isAllowed } = ward;
  const { template } = start;
  const plain = parcelsOf(drafts);
  if (areApart(plain)) return drafts;
  const parcels = seated(plain, template.columns.length);
  const price = sum(drafts, priceOf);
  const allowance = poolBudget(template, question.gone).allowance();
  const effort = { looks };
  const { ways, isShort } = searchFor(drafts, parcels !== plain);
  let best = drafts;
  for (const { leastCpuMillis, shares, packing } of ways) {
    if (question.shouldStop() || effort.looks <= 0) break;
    const packed = yield* packing(start, parcels, {
      allowance,
      leastCpuMillis,
      shares,
      costToBeat: sum(best, nodeCost),
      effort,
      isAllowed,
    });
    const isBetter = packed !== undefined && isCheaper(best, packed, price);
    if (isBetter && isWithinLimits(packed)) best = packed;
    if (!isBetter && isShort) break;
  }
  return best;
}

/** Nodes that none of the wards has stay as they are, before the others. */
function* repackingPool(all: readonly Draft[], wards: readonly Ward[], question: Question): Steps<readonly Draft[]> {
  let now = all;
  for (const ward of wards) {
    const mine = new Set(ward.drafts);
    const others = now.filter((draft) => !mine.has(draft));
    const limits = limitsOf(ward.start.template, question.gone);
    const isWithinLimits = (drafts: readonly Draft[]): boolean => limits.length === 0 || keepsLimits(limits, [...others, ...drafts]);
    const looks = (LOOKS * podsOn(ward.drafts)) / podsOn(all);
    now = [...others, ...(yield* repackingWard({ ward, looks, question, isWithinLimits }))];
  }
  return now;
}

/**
 * The planned nodes of a solution, packed anew pool by pool where that is cheaper: the same pods in the same pools, never dearer than
 * first-fit. The work is bounded by count, so that the same question has the same answer on any machine.
 */
export function* improving(
  { drafts, budgets, isOutOfOrder = false }: Solution,
  question: Question,
  topology: Topology | undefined,
): Steps<readonly Draft[]> {
  const improved: Draft[] = [];
  for (const template of budgets.keys()) {
    if (template.reservation !== undefined) continue;
    const own = drafts.filter(({ fit }) => fit.state.template.pool === template.pool);
    for (const draft of yield* repackingPool(own, wardsOf(own, template, isOutOfOrder ? undefined : topology), question))
      improved.push(draft);
  }
  return improved;
}
