import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budget-ledger.ts';
import { bySavings, inTurn } from '../candidate-order.ts';
import type { Command } from '../command.ts';
import { consolidating } from '../consolidate.ts';
import { patiently } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { Round } from '../round.ts';
import type { Surveyed } from '../survey.ts';

/** What single-node consolidation found, and how far it came. */
export interface SingleNodeAnswer {
  readonly command?: Command;
  /** Node names; none when the round came to its end. */
  readonly lookedAt: ReadonlySet<string>;
}

const poolOf = ({ nodePool }: Surveyed): string => nodePool.nodePool.metadata.name;

/**
 * Gives up the first node, pools taking turns, whose pods fit elsewhere or on cheaper machines. It goes on where the last pass left off, be
 * it because time ran out or because something was found: a node is asked about again when all others have been. One is looked at in any case.
 */
export function* lookingForOne(pass: Pass, consolidatable: readonly Surveyed[]): Steps<SingleNodeAnswer> {
  const { shouldStop, lookedAt: before = new Set<string>() } = pass.context;
  const ledger = budgetLedger(pass.context, 'Underutilized');
  const round = new Round([...consolidatable].sort(bySavings), before, inTurn);
  let isLate = false;
  for (const candidate of round.order) {
    const { name } = candidate.node;
    isLate ||= shouldStop();
    const blocker = ledger.blocker(poolOf(candidate));
    if (blocker !== undefined) pass.note(name, blocker);
    else if (isLate && round.asked > 0) pass.note(name, { kind: 'stopped' });
    else {
      round.lookAt(candidate);
      const consolidation = yield* consolidating(round.asked === 1 ? patiently(pass) : pass, [candidate], 'several');
      if (!('kind' in consolidation))
        return { command: { method: 'single-node', reason: 'Underutilized', ...consolidation }, lookedAt: round.lookedAt };
      pass.note(name, consolidation);
    }
  }
  return { lookedAt: isLate ? round.lookedAt : new Set() };
}
