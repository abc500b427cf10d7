import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { keptWithin, poolLimits, sharedLimits } from '../nodes/limits/limit-ledger.ts';
import type { AllowedTypes, Column, NodeState, NodeTemplate } from '../nodes/node-model.ts';
import { addAt, amountAt, itemAt, memoByObject } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { resourceRanks } from '../../catalog/index.ts';
import { BestValue } from './best-value.ts';
import type { Buy, PackingRules } from './best-value.ts';
import type { Load, Remaining } from './node-filler.ts';
import { nodeCost } from './unit-prices.ts';
import { SizeClasses, ordering, podsIn, totalsOf } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';

const keepingPoolLimits = (newNodes: readonly NewNode[], gone: readonly NodeView[]): readonly NewNode[] => {
  const byPool = new Map<NodePoolView, { readonly template: NodeTemplate; readonly own: NewNode[] }>();
  for (const newNode of newNodes) {
    const { template } = newNode.fit.state;
    const ofPool = byPool.get(template.pool);
    if (ofPool === undefined) byPool.set(template.pool, { template, own: [newNode] });
    else ofPool.own.push(newNode);
  }
  const kept = new Map(
    [...byPool.values()].flatMap(({ template, own }) => {
      const lean = keptWithin(own, poolLimits(template, gone));
      return own.map((newNode, index): [NewNode, NewNode] => [newNode, lean[index] ?? newNode]);
    }),
  );
  return newNodes.map((newNode) => kept.get(newNode) ?? newNode);
};

/**
 * The new nodes in their order. Each is kept to sizes at which the limits of its pool and of the cluster hold, however
 * the nodes are launched.
 */
export const keepingLimits = (newNodes: readonly NewNode[], gone: readonly NodeView[]): readonly NewNode[] => {
  const kept = keepingPoolLimits(newNodes, gone);
  const [any] = kept;
  return any === undefined ? kept : keptWithin(kept, sharedLimits(any.fit.state.template, gone));
};

/** How often the load can be repeated with what is left. */
const repeatsOf = ({ numbers, counts }: Load, remaining: Remaining): number => {
  let repeats = Number.POSITIVE_INFINITY;
  numbers.forEach((number, i) => {
    repeats = Math.min(repeats, Math.floor(amountAt(remaining.counts, number) / itemAt(counts, i)));
  });
  return repeats;
};

/** Equal nodes that are bought together. */
interface Purchase {
  readonly buy: Buy;
  readonly repeats: number;
}

/** The new nodes of all purchases; those of one purchase share everything that is equal. */
const newNodesOf = (purchases: readonly Purchase[], allowedTypes: AllowedTypes, batches: readonly PodBatch[]): readonly NewNode[] => {
  const newNodes: NewNode[] = [];
  for (const { buy, repeats } of purchases) {
    const { load, fit } = buy;
    const pods = podsIn(load, batches);
    for (let i = 0; i < repeats; i++) newNodes.push({ fit, allowedTypes, used: load.used, ...pods });
  }
  return newNodes;
};

/** Subtracts what was packed from what remains; batches that are used up leave their size classes. */
const takeAway = ({ numbers, counts, used }: Load, repeats: number, remaining: Remaining): void => {
  const { totals, sizeClasses } = remaining;
  numbers.forEach((number, i) => {
    const left = amountAt(remaining.counts, number) - itemAt(counts, i) * repeats;
    remaining.counts[number] = left;
    if (left <= 0) sizeClasses.remove(number);
  });
  used.forEach((amount, resource) => addAt(totals, resource, -amount * repeats));
};

/**
 * The columns of a template and one more for the seat: each node has one. Remembered: a small plan is packed a hundred
 * times.
 */
const columnsWithSeat = memoByObject(({ catalog, columns }: NodeTemplate): readonly Column[] => {
  const amounts = new Float64Array(catalog.types.length).fill(1);
  return [...columns, { amounts, ranks: resourceRanks(amounts) }];
});

/**
 * Groups that the host rules of the batches name: each is numbered before anything is packed. Thousands of pods that
 * keep each other away name millions, and are not packed again.
 */
const hostRuleCount = (batches: readonly PodBatch[]): number =>
  batches.reduce((count, { host }) => count + (host === undefined ? 0 : host.antiAffinity.length + host.countedBy.length), 0);

/** Batches tried between two pauses: some tenths of a millisecond. A pause waits for the end of a node. */
const TRIES_A_STEP = 4096;

/**
 * All batches on as many nodes as it takes, each the best value for what remained. Undefined when that costs too much, or
 * something fits no node.
 */
export function* packingGreedily(
  initial: NodeState,
  batches: readonly PodBatch[],
  rules: PackingRules,
): Steps<readonly NewNode[] | undefined> {
  const ruleCount = hostRuleCount(batches);
  rules.effort.tries -= ruleCount;
  if (ruleCount > 0 && rules.effort.tries <= 0) return undefined;
  const columns = columnsWithSeat(initial.template);
  const counts = Float64Array.from(batches, ({ count }) => count);
  const totals = totalsOf(batches, counts, columns.length);
  // Thousands of batches take milliseconds to be added up, to be put into size classes, and to be numbered.
  yield;
  const sizeClasses = new SizeClasses(yield* ordering(batches, totals));
  const remaining: Remaining = { batches, columns, counts, totals, sizeClasses, effort: rules.effort };
  yield;
  const bestValue = new BestValue(initial, remaining, rules);
  yield;
  const purchases: Purchase[] = [];
  let repeats = 0;
  let pauseAt = rules.effort.tries;
  for (let cost = 0; remaining.sizeClasses.all.length > 0;) {
    if (rules.effort.tries <= pauseAt) {
      yield;
      pauseAt = rules.effort.tries - TRIES_A_STEP;
    }
    // Only purchases of single nodes, or of nodes with seats, are so frequent that they must be hasty.
    const buy = bestValue.best(repeats === 1 || totals.at(-1) !== 0);
    if (buy === undefined || cost >= rules.costToBeat) return undefined;
    repeats = repeatsOf(buy.load, remaining);
    purchases.push({ buy, repeats });
    cost += nodeCost(buy.fit) * repeats;
    takeAway(buy.load, repeats, remaining);
  }
  return newNodesOf(purchases, rules.allowedTypes, batches);
}
