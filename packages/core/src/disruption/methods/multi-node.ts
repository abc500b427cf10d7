import type { Steps } from '../../base/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import { bySavings } from '../candidates/candidate.ts';
import type { Command, WeighedMove } from '../command.ts';
import { consolidating } from '../consolidation/consolidation.ts';
import type { Consolidation, MostReplacements } from '../consolidation/consolidation.ts';
import type { Pass } from '../pass/pass.ts';
import type { DisruptionCandidate } from '../pass/survey.ts';

/** More nodes than this are never deleted at once. */
const MOST_AT_ONCE = 100;

const savesMore = (consolidation: Consolidation | Blocker, found: Command | undefined): consolidation is Consolidation =>
  !('kind' in consolidation) && consolidation.savingsPerHour > (found?.savingsPerHour ?? 0);

/**
 * How many of the best candidates go together: of the numbers that a binary search for the most asks about, the one that
 * saves most. The most together often need a machine that is a size too large. One move counts as weighed: the one
 * found, or the last refused.
 */
function* searchingBestPrefix(
  pass: Pass,
  best: readonly DisruptionCandidate[],
  mostReplacements: MostReplacements,
): Steps<Command | undefined> {
  let found: Command | undefined;
  let weighed: readonly WeighedMove[] = [];
  let least = 2;
  let most = best.length;
  while (least <= most && !pass.context.shouldStop()) {
    const size = Math.floor((least + most) / 2);
    const before = pass.weighed.length;
    const consolidation = yield* consolidating(pass, best.slice(0, size), mostReplacements);
    const weighedNow = pass.weighed.splice(before);
    const isBest = savesMore(consolidation, found);
    if (weighedNow.length > 0 && (found === undefined || isBest)) weighed = weighedNow;
    if (isBest) found = { method: 'multi-node', reason: 'Underutilized', ...consolidation };
    if ('kind' in consolidation) most = size - 1;
    else least = size + 1;
  }
  pass.weighed.push(...weighed);
  return found;
}

const poolOf = ({ nodePool }: DisruptionCandidate): string => nodePool.nodePool.metadata.name;

/** The first candidates that the budgets allow to go together, a hundred at most. */
const withinBudgets = (pass: Pass, sorted: readonly DisruptionCandidate[]): readonly DisruptionCandidate[] => {
  const ledger = budgetLedger(pass.context, 'Underutilized');
  const allowed: DisruptionCandidate[] = [];
  for (const candidate of sorted) {
    if (allowed.length === MOST_AT_ONCE) break;
    if (ledger.take(poolOf(candidate))) allowed.push(candidate);
  }
  return allowed;
};

const strideOf = (atOnce: number): number => Math.max(1, Math.ceil(atOnce / 2));

const passesFor = (nodes: number, atOnce: number): number => Math.max(1, Math.ceil(nodes / strideOf(atOnce)));

/**
 * Where to start in the list of candidates: at the best, and each pass at one more position. Positions are half a
 * hundred apart, and shift by one once all are used. After as many passes as there are nodes, every node has been a
 * start.
 */
const startsOf = (nodes: number, atOnce: number, turn: number): readonly number[] => {
  const stride = strideOf(atOnce);
  const passes = passesFor(nodes, atOnce);
  const other = (turn % passes) * stride + (Math.floor(turn / passes) % stride);
  return other > 0 && other < nodes - 1 ? [0, other] : [0];
};

const allowedIn = (pass: Pass, consolidatable: readonly DisruptionCandidate[]): readonly DisruptionCandidate[] => {
  const ledger = budgetLedger(pass.context, 'Underutilized');
  return consolidatable.filter((each) => ledger.left(poolOf(each)) > 0).sort(bySavings);
};

/** How many passes in a row it takes until each part of the list was tried together. */
export const passesOver = (pass: Pass, consolidatable: readonly DisruptionCandidate[]): number => {
  const sorted = allowedIn(pass, consolidatable);
  const atOnce = withinBudgets(pass, sorted).length;
  return atOnce < 2 ? 1 : passesFor(sorted.length, atOnce);
};

/**
 * Deletes several nodes for at most one cheaper machine, or else for several that are cheaper together.
 * `consolidatable`: the nodes without a blocker. Differs: the original only ever evaluates the best hundred that the
 * budgets allow.
 */
export function* proposingMultiNode(pass: Pass, consolidatable: readonly DisruptionCandidate[]): Steps<Command | undefined> {
  const sorted = allowedIn(pass, consolidatable);
  const best = withinBudgets(pass, sorted);
  for (const from of startsOf(sorted.length, best.length, pass.context.turn ?? 0)) {
    const allowed = from === 0 ? best : withinBudgets(pass, sorted.slice(from));
    const found = (yield* searchingBestPrefix(pass, allowed, 'one')) ?? (yield* searchingBestPrefix(pass, allowed, 'several'));
    if (found !== undefined) return found;
  }
  return undefined;
}
