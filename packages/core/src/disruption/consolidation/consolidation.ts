import { disruptionOf } from '../../apis/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { countMoves, plannedPrice } from '../candidates/candidate.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { cheaperReplacements, isSpot, totalPrice } from './cheaper-replacement.ts';
import type { Pass } from '../pass/pass.ts';
import type { Steps } from '../../base/index.ts';
import type { Command } from '../command.ts';
import { relocating } from '../pass/relocation.ts';
import type { Relocation } from '../pass/relocation.ts';

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
const worthBlocker = (pass: Pass, move: ConsolidationMove): Blocker | undefined => {
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

export type Consolidation = Pick<Command, 'decision' | 'candidates' | 'replacements' | 'savingsPerHour' | 'packing' | 'targets'>;

/** How many machines may replace the candidates. */
export type MostReplacements = 'one' | 'several';

/** About 70 cents a month for each pod that moves. */
const MOVE_PRICE_PER_HOUR = 0.001;

/** A launch counts as much as so many moves: about seven dollars a month. */
const MOVES_OF_A_LAUNCH = 10;

/** What saves so much of the price is worth any number of pods that move. */
const LARGE_SHARE = 0.1;

/**
 * Why a replacement saves too little: less than a tenth of the price, and less than the policy requires per moved pod
 * and launched machine. Differs: to the original any saving is enough.
 */
const smallSavingBlocker = (
  { context: { policy } }: Pass,
  { candidates, replacements, savingsPerHour }: Pick<Consolidation, 'candidates' | 'replacements' | 'savingsPerHour'>,
): Blocker | undefined => {
  if (replacements.length === 0 || savingsPerHour >= LARGE_SHARE * totalPrice(candidates)) return undefined;
  const moves = countMoves(candidates);
  const { movePricePerHour = MOVE_PRICE_PER_HOUR } = policy;
  const wanted = (moves + MOVES_OF_A_LAUNCH * replacements.length) * movePricePerHour;
  return savingsPerHour >= wanted ? undefined : { kind: 'small-saving', savingsPerHour, moves };
};

/** The consolidation that a relocation makes possible, or why it does not save enough. */
export const savingBy = (pass: Pass, candidates: readonly Candidate[], relocation: Relocation): Consolidation | Blocker => {
  const { replacements: planned, extraPricePerHour, minimum, targets } = relocation;
  const before = totalPrice(candidates);
  const { policy } = pass.context;
  if (extraPricePerHour >= before) {
    if (minimum !== undefined) return minimum;
    const cheapestReplacement = Math.max(extraPricePerHour, plannedPrice(planned, policy));
    return { kind: 'no-cheaper-replacement', pricePerHour: before, cheapestReplacement, replacements: planned.length };
  }
  const replacements = planned.length === 0 ? [] : cheaperReplacements(planned, candidates, pass.context);
  if ('kind' in replacements) return minimum ?? replacements;
  const savingsPerHour = before - Math.max(0, extraPricePerHour, plannedPrice(replacements, policy));
  const consolidation = {
    decision: planned.length === 0 ? 'delete' : 'replace',
    candidates,
    replacements,
    savingsPerHour,
    targets,
  } as const;
  const isWeighedByAll = planned.length > 1;
  return smallSavingBlocker(pass, consolidation) ?? worthBlocker(pass, { ...consolidation, isWeighedByAll }) ?? consolidation;
};

/** With the pods placed by first-fit: on the remaining nodes, and at most one new machine. */
const consolidatingByFirstFit = (pass: Pass, candidates: readonly Candidate[], relocation: Relocation): Consolidation | Blocker => {
  const { replacements } = relocation;
  if (replacements.length < 2) return savingBy(pass, candidates, relocation);
  const prices = { pricePerHour: totalPrice(candidates), cheapestReplacement: plannedPrice(replacements, pass.context.policy) };
  return { kind: 'no-cheaper-replacement', ...prices, replacements: replacements.length };
};

/** Whether no packing could cost less than the candidates, or would be allowed to. */
const cannotBeCheaper = (pass: Pass, candidates: readonly Candidate[], { replacements }: Relocation): boolean => {
  if (pass.context.spotToSpot !== true && candidates.every(isSpot)) return true;
  const moved = new Set(candidates.flatMap(({ reschedulablePods }) => reschedulablePods));
  const homeless = replacements.flatMap(({ pods }) => pods.filter((pod) => moved.has(pod)));
  return pass.leastPrice(homeless) >= totalPrice(candidates);
};

/** Whichever saves more; the second blocker where neither saves anything. */
const better = (first: Consolidation | Blocker, second: Consolidation | Blocker): Consolidation | Blocker => {
  if ('kind' in first) return second;
  return 'kind' in second || second.savingsPerHour <= first.savingsPerHour ? first : second;
};

/** With the pods packed for the lowest price: on the remaining nodes, and any number of new machines. */
function* packingByPrice(pass: Pass, candidates: readonly Candidate[], isPackedOnly: boolean): Steps<Consolidation | Blocker> {
  const relocation = yield* relocating(pass, candidates, { avoidsSettling: true, packing: 'cheapest', isPackedOnly });
  const saving = 'kind' in relocation ? relocation : savingBy(pass, candidates, relocation);
  return 'kind' in saving ? saving : { ...saving, packing: 'cheapest' };
}

/**
 * The same, with a search for a better plan where packing's is worth the move already. A search makes a saving
 * larger, and hardly ever finds one where packing found none. Asked of every node, searches took nine tenths of a
 * pass. It is the searched plan that counts, also where it is not worth the move: validation asks for it again.
 */
function* consolidatingByPrice(pass: Pass, candidates: readonly Candidate[]): Steps<Consolidation | Blocker> {
  const before = pass.weighed.length;
  const packed = yield* packingByPrice(pass, candidates, true);
  if ('kind' in packed) return packed;
  // One move, so it counts as weighed once.
  pass.weighed.splice(before);
  return yield* packingByPrice(pass, candidates, false);
}

/**
 * Deletes the candidates if that saves money. Their pods go on remaining nodes, or on these and one cheaper machine,
 * or on several that are cheaper together. First-fit prefers the largest machine, so for several the pods are packed
 * for price.
 *
 * Differs: the original never replaces nodes by several machines; here such a move must be worth the disruption under
 * every policy. If a move makes the pods that are pending anyway more expensive to place, that counts against its
 * savings.
 */
export function* consolidating(pass: Pass, candidates: readonly Candidate[], most: MostReplacements): Steps<Consolidation | Blocker> {
  const neverWorthIt = worthBlocker(pass, { candidates, savingsPerHour: totalPrice(candidates), isWeighedByAll: false, isGuess: true });
  if (neverWorthIt !== undefined) return neverWorthIt;
  const relocation = yield* relocating(pass, candidates, { avoidsSettling: true });
  if ('kind' in relocation) return relocation;
  const byFirstFit = consolidatingByFirstFit(pass, candidates, relocation);
  if (most === 'one' || ('kind' in byFirstFit && byFirstFit.kind !== 'no-cheaper-replacement')) return byFirstFit;
  if (relocation.replacements.length === 0 || cannotBeCheaper(pass, candidates, relocation)) return byFirstFit;
  const before = pass.weighed.length;
  const chosen = better(byFirstFit, yield* consolidatingByPrice(pass, candidates));
  if (chosen === byFirstFit) pass.weighed.splice(before);
  return chosen;
}
