import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import { bySavings, inTurn } from '../candidates/candidate.ts';
import type { Command } from '../command.ts';
import { consolidating } from '../consolidation/consolidation.ts';
import { withoutDeadline } from '../pass/pass.ts';
import type { Pass } from '../pass/pass.ts';
import { Round } from '../pass/stillness.ts';
import type { DisruptionCandidate } from '../pass/survey.ts';

/** What single-node consolidation proposes, and which nodes it evaluated. */
export interface SingleNodeAnswer {
  readonly command?: Command;
  /** Node names; none when the round came to its end. */
  readonly evaluated: ReadonlySet<string>;
}

const poolOf = ({ nodePool }: DisruptionCandidate): string => nodePool.nodePool.metadata.name;

/**
 * Deletes the first node, pools taking turns, whose pods fit elsewhere or on cheaper machines. Each pass continues
 * where the last one ended, whether time ran out or something was found. No node is evaluated twice before all others
 * were once. At least one is evaluated in each pass. Differs: the original ends a pass after three minutes. It begins
 * the next with the pools that it had not reached, but at their first nodes.
 */
export function* proposingSingleNode(pass: Pass, consolidatable: readonly DisruptionCandidate[]): Steps<SingleNodeAnswer> {
  const { shouldStop, evaluated: before = new Set<string>() } = pass.context;
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
      round.add(candidate);
      const consolidation = yield* consolidating(round.asked === 1 ? withoutDeadline(pass) : pass, [candidate], 'several');
      if (!('kind' in consolidation))
        return { command: { method: 'single-node', reason: 'Underutilized', ...consolidation }, evaluated: round.evaluated };
      pass.note(name, consolidation);
    }
  }
  return { evaluated: isLate ? round.evaluated : new Set() };
}
