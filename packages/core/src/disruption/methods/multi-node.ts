import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budget-ledger.ts';
import { bySavings } from '../candidate-order.ts';
import type { Command } from '../command.ts';
import { consolidating } from '../consolidate.ts';
import type { Pass } from '../pass.ts';
import type { Surveyed } from '../survey.ts';

/** More nodes than this are never given up at once. */
const MOST_AT_ONCE = 100;

/**
 * Gives up several nodes for at most one cheaper machine: the longest run of the best candidates for which that works, found by halving.
 * `consolidatable` are the nodes that no rule keeps.
 */
export function* lookingForSeveral(pass: Pass, consolidatable: readonly Surveyed[]): Steps<Command | undefined> {
  const ledger = budgetLedger(pass.context, 'Underutilized');
  const best = [...consolidatable]
    .sort(bySavings)
    .filter(({ nodePool }) => ledger.take(nodePool.nodePool.metadata.name))
    .slice(0, MOST_AT_ONCE);
  let found: Command | undefined;
  let least = 2;
  let most = best.length;
  while (least <= most && !pass.context.shouldStop()) {
    const size = Math.floor((least + most) / 2);
    const consolidation = yield* consolidating(pass, best.slice(0, size));
    if ('kind' in consolidation) most = size - 1;
    else {
      found = { method: 'multi-node', reason: 'Underutilized', ...consolidation };
      least = size + 1;
    }
  }
  return found;
}
