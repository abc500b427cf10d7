import { disruptionOf } from '../../apis/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { totalPrice } from './cheaper-replacement.ts';
import type { Pass } from '../pass/pass.ts';

/** A move is worth it when its share of the pool's price is at least this much of its share of the pool's disruption. */
const LEAST_SCORE = 0.5;

/** A move to be weighed: the candidates, and what it saves at most. */
export interface ConsolidationMove {
  readonly candidates: readonly Candidate[];
  readonly savingsPerHour: number;
  /** Whether it must be worth it under every policy, not only under `Balanced`. */
  readonly isWeighedByAll: boolean;
  /** `savingsPerHour` is only an upper bound: the move may be ruled out by it, not approved. */
  readonly isGuess?: true;
}

/**
 * The share of what a pool costs that is saved, over the share of what it costs to disturb it; 0 where nothing can be
 * saved.
 */
const scoreOf = (pass: Pass, name: string, { candidates, savingsPerHour }: ConsolidationMove): number => {
  const total = pass.totals.get(name);
  const own = candidates.filter(({ nodePool }) => nodePool.nodePool.metadata.name === name);
  const price = totalPrice(candidates);
  if (total === undefined || total.pricePerHour <= 0 || price <= 0 || savingsPerHour <= 0) return 0;
  const saved = (savingsPerHour * totalPrice(own)) / price / total.pricePerHour;
  const disrupted = own.reduce((sum, { disruptionCost }) => sum + disruptionCost, 0) / total.disruptionCost;
  return saved / disrupted;
};

/**
 * Why a move saves too little for the pods that it disrupts, by the first pool where it does. A move across pools is
 * credited to each pool in proportion to the price of its candidates there. Each pool of a move that is no guess is
 * noted in `pass.weighed`, with a score where its policy has one. Source: the original's `disruption/balanced.go`, with
 * its threshold of one half.
 */
export const worthBlocker = (pass: Pass, move: ConsolidationMove): Blocker | undefined => {
  const pools = new Map(move.candidates.map(({ nodePool: { nodePool } }) => [nodePool.metadata.name, nodePool]));
  const judged = Array.from(pools, ([nodePoolName, nodePool]) => {
    const { consolidationPolicy: policy } = disruptionOf(nodePool);
    return { nodePoolName, policy, ...(move.isWeighedByAll || policy === 'Balanced' ? { score: scoreOf(pass, nodePoolName, move) } : {}) };
  });
  const opposed = judged.find(({ score }) => score !== undefined && score < LEAST_SCORE);
  if (move.isGuess !== true) pass.weighed.push(...judged.map((each) => ({ ...each, isWorthIt: opposed === undefined })));
  if (opposed?.score === undefined) return undefined;
  return { kind: 'not-worth-it', nodePoolName: opposed.nodePoolName, score: opposed.score, savingsPerHour: move.savingsPerHour };
};
