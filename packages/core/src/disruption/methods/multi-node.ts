import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budget-ledger.ts';
import { bySavings } from '../candidate-order.ts';
import type { Command } from '../command.ts';
import { consolidating } from '../consolidate.ts';
import type { MostReplacements } from '../consolidate.ts';
import type { Pass } from '../pass.ts';
import type { Surveyed } from '../survey.ts';

/** More nodes than this are never given up at once. */
const MOST_AT_ONCE = 100;

/** The longest run of the best candidates that can go together, found by halving. */
function* lookingAmong(pass: Pass, best: readonly Surveyed[], mostReplacements: MostReplacements): Steps<Command | undefined> {
  let found: Command | undefined;
  let least = 2;
  let most = best.length;
  while (least <= most && !pass.context.shouldStop()) {
    const size = Math.floor((least + most) / 2);
    const consolidation = yield* consolidating(pass, best.slice(0, size), mostReplacements);
    if ('kind' in consolidation) most = size - 1;
    else {
      found = { method: 'multi-node', reason: 'Underutilized', ...consolidation };
      least = size + 1;
    }
  }
  return found;
}

/** The best hundred, and each pass another hundred of the others, so that all of them have their turn. */
const hundredsOf = (sorted: readonly Surveyed[], turn: number): readonly (readonly Surveyed[])[] => {
  const others = Math.ceil(sorted.length / MOST_AT_ONCE) - 1;
  const from = others < 1 ? sorted.length : (1 + (turn % others)) * MOST_AT_ONCE;
  return [sorted.slice(0, MOST_AT_ONCE), sorted.slice(from, from + MOST_AT_ONCE)];
};

/**
 * Gives up several nodes for at most one cheaper machine, or else for several that are cheaper together. `consolidatable` are the nodes
 * that no rule keeps.
 * Differs: the original only ever looks at the best hundred.
 */
export function* lookingForSeveral(pass: Pass, consolidatable: readonly Surveyed[]): Steps<Command | undefined> {
  for (const hundred of hundredsOf([...consolidatable].sort(bySavings), pass.context.turn ?? 0)) {
    const ledger = budgetLedger(pass.context, 'Underutilized');
    const allowed = hundred.filter(({ nodePool }) => ledger.take(nodePool.nodePool.metadata.name));
    const found = (yield* lookingAmong(pass, allowed, 'one')) ?? (yield* lookingAmong(pass, allowed, 'several'));
    if (found !== undefined) return found;
  }
  return undefined;
}
