import { disruptionOf } from '../apis/index.ts';
import type { Blocker } from './blocker.ts';
import type { Candidate } from './candidate.ts';
import { totalPrice } from './cheaper-replacement.ts';
import type { Pass } from './pass.ts';

/** A move is worth it when its share of the pool's price is at least this much of its share of the pool's disruption. */
const LEAST_SCORE = 0.5;

/** What a move is about, and what it saves at most. */
export interface Move {
  readonly candidates: readonly Candidate[];
  readonly savingsPerHour: number;
  /** Whether every pool must find it worth it, not only those of the policy `Balanced`. */
  readonly isWeighedByAll: boolean;
  /** Nothing is decided yet when it is worth it by its greatest possible savings. */
  readonly isGuess?: true;
}

/** The share of what a pool costs that is saved, over the share of what it costs to disturb it; 0 where nothing can be saved. */
const scoreOf = (pass: Pass, name: string, { candidates, savingsPerHour }: Move): number => {
  const total = pass.totals.get(name);
  const own = candidates.filter(({ nodePool }) => nodePool.nodePool.metadata.name === name);
  const price = totalPrice(candidates);
  if (total === undefined || total.pricePerHour <= 0 || price <= 0 || savingsPerHour <= 0) return 0;
  const saved = (savingsPerHour * totalPrice(own)) / price / total.pricePerHour;
  const disturbed = own.reduce((sum, { disruptionCost }) => sum + disruptionCost, 0) / total.disruptionCost;
  return saved / disturbed;
};

/**
 * Why a move saves too little for the pods that it disturbs, by the first pool that says so. A move across pools saves in each of them by
 * what its nodes cost there.
 * Source: the original's `disruption/balanced.go`, with its threshold of one half.
 */
export const worthBlocker = (pass: Pass, move: Move): Blocker | undefined => {
  const pools = new Map(move.candidates.map(({ nodePool: { nodePool } }) => [nodePool.metadata.name, nodePool]));
  for (const [nodePoolName, nodePool] of pools) {
    const { consolidationPolicy: policy } = disruptionOf(nodePool);
    if (!move.isWeighedByAll && policy !== 'Balanced') continue;
    const score = scoreOf(pass, nodePoolName, move);
    const isWorthIt = score >= LEAST_SCORE;
    if (move.isGuess !== true || !isWorthIt) pass.weighed.push({ nodePoolName, policy, score, isWorthIt });
    if (!isWorthIt) return { kind: 'not-worth-it', nodePoolName, score, savingsPerHour: move.savingsPerHour };
  }
  return undefined;
};
