import { ROUNDING } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { PackingRules } from './best-value.ts';
import { packingGreedily } from './greedy-packing.ts';
import { areApart, gatheringPodBatches, termsText, withSeats } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import type { AllowedTypes, Fit, NodeState } from '../nodes/node-model.ts';
import { keepsLimits, limitLedger, poolLimits, sharedLimits } from '../nodes/limits/limit-ledger.ts';
import type { Question, Solution } from '../solve/solve.ts';
import type { Topology } from '../topology/topology.ts';
import { NODE_COST_PER_HOUR, nodeCost, priceOf } from './unit-prices.ts';
import { leastCostOf } from './mix-parts.ts';
import { differMuch, packingByMix } from './mix-search.ts';
import { RepackMemory, repackGroupsOf } from './repack-group.ts';
import type { RepackGroup } from './repack-group.ts';
import { sumOfNodes } from '../nodes/new-nodes/new-node.ts';

/** With more sets of terms than this, each would have too few pods to fill nodes of its own. */
const MOST_SETS = 8;

/** Each set of terms on nodes of its own: one pod that insists on on-demand would make a whole node of spot pods dearer. */
function* packingApart(initial: NodeState, batches: readonly PodBatch[], rules: PackingRules): Steps<readonly NewNode[] | undefined> {
  const sorts = Map.groupBy(batches, termsText);
  if (sorts.size < 2 || sorts.size > MOST_SETS) return undefined;
  const newNodes: NewNode[] = [];
  for (const sort of sorts.values()) {
    const packed = yield* packingGreedily(initial, sort, rules);
    if (packed === undefined) return undefined;
    for (const node of packed) newNodes.push(node);
  }
  return newNodes;
}

/** One way to repack everything. */
interface PackingAttempt extends Pick<PackingRules, 'leastCpuMillis' | 'shares'> {
  readonly packing: (initial: NodeState, batches: readonly PodBatch[], rules: PackingRules) => Steps<readonly NewNode[] | undefined>;
}

/** Nodes of at least several sizes, then each set of terms on nodes of its own. */
const attempts: readonly PackingAttempt[] = [
  { leastCpuMillis: 7000, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 30_000, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, packing: packingGreedily },
  { leastCpuMillis: 0, shares: Number.POSITIVE_INFINITY, packing: packingApart },
];

/** For pods that need a node each: nodes of about the size at which there are just enough of them. */
const seatedAttempts: readonly PackingAttempt[] = [1.3, 2, 3].map((shares) => ({
  leastCpuMillis: 0,
  shares,
  packing: packingGreedily,
}));

/** How often one question may try a batch: some tenths of a second. */
const TRIES = 1_300_000;

const NONE: readonly NewNode[] = [];

const podsOn = (newNodes: readonly NewNode[]): number => newNodes.reduce((total, { podCount }) => total + podCount, 0);

/** Times the cost of fractions of machines: where a mix comes this close, no other attempt is worth its time. */
const CLOSE_ENOUGH = 1.04;

/**
 * In seated groups of this many pods, the search ends with the first attempt that is dearer. Of 71 such groups, a
 * later attempt was cheaper in one, by 0.07 %. Each attempt costs a tenth of the whole plan.
 */
const MANY_PODS = 3000;

/**
 * Groups of so few pods are packed by the first attempt alone. Of 3,060 such groups in recorded questions, a later
 * attempt was cheaper in one; the attempts took a third of the time.
 */
const FEW_PODS = 8;

/** The attempts in order, and whether the search ends with the first that is dearer. */
const searchFor = (
  newNodes: readonly NewNode[],
  isSeated: boolean,
): { readonly attempts: readonly PackingAttempt[]; readonly isShort: boolean } => {
  const all = isSeated ? seatedAttempts : attempts;
  const pods = podsOn(newNodes);
  return { attempts: pods <= FEW_PODS ? all.slice(0, 1) : all, isShort: isSeated && pods >= MANY_PODS };
};

/** Whether the second packing costs less, node costs included, at a price of at most `price`. */
const isCheaper = (before: readonly NewNode[], after: readonly NewNode[], price: number): boolean =>
  sumOfNodes(after, nodeCost) < sumOfNodes(before, nodeCost) - ROUNDING && sumOfNodes(after, priceOf) <= price;

/** One group to repack. */
interface Task {
  readonly repackGroup: RepackGroup;
  /** How often a batch may be tried. */
  readonly tries: number;
  readonly question: Question;
  /** Absent: the plan is too large to be searched, so that nothing is packed twice. */
  readonly memory: RepackMemory | undefined;
  /** The other nodes, where limits read them. */
  readonly others: readonly NewNode[];
  /** Whether the limits allow these nodes in place of the group's. */
  readonly isWithinLimits: (newNodes: readonly NewNode[]) => boolean;
}

/** The packing of one group while it is being improved. */
interface Packing extends Task {
  readonly batches: readonly PodBatch[];
  readonly allowedTypes: AllowedTypes;
  readonly price: number;
  readonly effort: { tries: number };
}

const isImprovement = (before: readonly NewNode[], after: readonly NewNode[], { price, isWithinLimits }: Packing): boolean =>
  isCheaper(before, after, price) && isWithinLimits(after);

/** What a packing of many more nodes than another is compared by: each of them has to save twice what a node costs. */
const costInNodes = (fit: Fit): number => nodeCost(fit) + NODE_COST_PER_HOUR;

/** Whether to replace the best packing so far, which is that of first-fit until there is a cheaper one. */
const isBetter = (best: readonly NewNode[], other: readonly NewNode[], packing: Packing): boolean => {
  const { newNodes } = packing.repackGroup;
  if (!isImprovement(newNodes, other, packing)) return false;
  const cost = differMuch(best.length, other.length) ? costInNodes : nodeCost;
  return best === newNodes || sumOfNodes(other, cost) < sumOfNodes(best, cost) - ROUNDING;
};

/** The cheapest of the group's nodes and of what the greedy attempts make of its pods. */
function* packingByAttempts(before: readonly NewNode[], packing: Packing): Steps<readonly NewNode[]> {
  const { repackGroup, batches, allowedTypes, effort, question } = packing;
  const { start, newNodes, isAllowed } = repackGroup;
  const isSeated = batches.some(({ resourceIds }) => resourceIds.includes(start.template.columns.length));
  const { attempts, isShort } = searchFor(newNodes, isSeated);
  let best = before;
  for (const { leastCpuMillis, shares, packing: attempt } of attempts) {
    if (question.shouldStop() || effort.tries <= 0) break;
    const rules = { allowedTypes, leastCpuMillis, shares, costToBeat: sumOfNodes(best, nodeCost), effort, isAllowed };
    const packed = yield* attempt(start, batches, rules);
    if (packed !== undefined && isBetter(best, packed, packing)) best = packed;
    else if (isShort) break;
  }
  return best;
}

/**
 * The cheapest packing of the batches that keeps the limits; the group's present nodes where none is cheaper. Nothing is
 * packed where no packing could be.
 */
function* packingBatches(task: Task, batches: readonly PodBatch[]): Steps<readonly NewNode[]> {
  const { repackGroup, tries, question } = task;
  const { start, newNodes, isAllowed } = repackGroup;
  const allowedTypes = limitLedger(start.template, question.gone).allowedTypes();
  if (leastCostOf(batches, start, allowedTypes) >= sumOfNodes(newNodes, nodeCost) - ROUNDING) return newNodes;
  const packing = { ...task, batches, allowedTypes, price: sumOfNodes(newNodes, priceOf), effort: { tries } };
  const mixed = yield* packingByMix(start, batches, { allowedTypes, isAllowed, effort: packing.effort });
  let best = newNodes;
  for (const mix of mixed?.packings ?? []) if (isBetter(best, mix, packing)) best = mix;
  const isCloseEnough = mixed !== undefined && sumOfNodes(best, nodeCost) <= CLOSE_ENOUGH * mixed.fluidCost;
  return isCloseEnough ? best : yield* packingByAttempts(best, packing);
}

function* gatheringPlainBatches({ repackGroup: { newNodes }, memory }: Task): Steps<readonly PodBatch[]> {
  const placed = yield* gatheringPodBatches(newNodes);
  return memory?.inOrder(placed) ?? placed;
}

/** The same for the pods of the group's nodes. */
function* repackingGroup(task: Task): Steps<readonly NewNode[]> {
  const { repackGroup, tries, question, memory, others } = task;
  const { start, newNodes } = repackGroup;
  const plain = yield* gatheringPlainBatches(task);
  yield;
  if (areApart(plain) || question.shouldStop()) return newNodes;
  const batches = withSeats(plain, start.template.columns.length);
  const key = memory?.keyOf({ repackGroup, batches, tries, others }) ?? '';
  const known = memory?.recall(key, newNodes);
  if (known !== undefined) return known;
  yield;
  const packed = yield* packingBatches(task, batches);
  if (!question.shouldStop()) memory?.remember(key, packed, newNodes);
  return packed;
}

/** What all pools of a question share. */
type PoolContext = Pick<Task, 'question' | 'memory'> & {
  /** The nodes of other pools, where limits read them. */
  readonly elsewhere: readonly NewNode[];
};

/** Repacks group by group. Nodes in no group stay as they are and come first. */
function* repackingPool(all: readonly NewNode[], repackGroups: readonly RepackGroup[], context: PoolContext): Steps<readonly NewNode[]> {
  const { question, elsewhere } = context;
  let now = all;
  for (const repackGroup of repackGroups) {
    const own = new Set(repackGroup.newNodes);
    const others = now.filter((newNode) => !own.has(newNode));
    const { template } = repackGroup.start;
    const limits = [...poolLimits(template, question.gone), ...sharedLimits(template, question.gone)];
    const isLimited = limits.length > 0;
    const around = isLimited ? [...elsewhere, ...others] : NONE;
    const isWithinLimits = (newNodes: readonly NewNode[]): boolean => !isLimited || keepsLimits(limits, [...around, ...newNodes]);
    const tries = (TRIES * podsOn(repackGroup.newNodes)) / podsOn(all);
    now = [...others, ...(yield* repackingGroup({ ...context, repackGroup, tries, isWithinLimits, others: around }))];
  }
  return now;
}

/** How the nodes of a solution are made cheaper. */
export type Improve = (solution: Solution) => Steps<readonly NewNode[]>;

/**
 * Solution → its new nodes, repacked pool by pool where that is cheaper: the same pods in the same pools, never
 * dearer than first-fit. The work is bounded by a count, not by time, so that the answer is the same on any machine.
 */
export const improver = (question: Question, topology: Topology | undefined, isSearched: boolean): Improve => {
  const memory = isSearched ? new RepackMemory(question.podSets) : undefined;
  return function* improving({ newNodes, ledgers, isOutOfOrder = false }) {
    const improved: NewNode[] = [];
    let left = newNodes;
    for (const template of ledgers.keys()) {
      if (template.reservation !== undefined) continue;
      const isOwn = ({ fit }: NewNode): boolean => fit.state.template.pool === template.pool;
      const own = left.filter(isOwn);
      left = left.filter((newNode) => !isOwn(newNode));
      const repackGroups = repackGroupsOf(own, template, isOutOfOrder ? undefined : topology);
      yield;
      const elsewhere = template.clusterLimits === undefined ? NONE : [...improved, ...left];
      for (const newNode of yield* repackingPool(own, repackGroups, { question, memory, elsewhere })) improved.push(newNode);
    }
    return improved;
  };
};
