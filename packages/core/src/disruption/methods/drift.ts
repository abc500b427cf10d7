import type { Steps } from '../../base/index.ts';
import type { Blocker } from '../blocker.ts';
import { budgetLedger } from '../budget-ledger.ts';
import type { BudgetLedger } from '../budget-ledger.ts';
import { totalPrice } from '../cheaper-replacement.ts';
import type { Command } from '../command.ts';
import { driftBlocker, isDrifted, isStatic } from '../method-blocker.ts';
import { patiently } from '../pass.ts';
import type { Pass } from '../pass.ts';
import { plannedPrice } from '../planned-price.ts';
import { relocating } from '../relocation.ts';
import { Round } from '../round.ts';
import type { Surveyed } from '../survey.ts';
import { byUrgency } from './by-urgency.ts';

function* replacing(pass: Pass, candidate: Surveyed): Steps<Command | undefined> {
  const relocation = yield* relocating(pass, [candidate], { heedsSettling: false });
  if ('kind' in relocation) {
    pass.note(candidate.node.name, relocation.kind === 'unschedulable-pods' ? { ...relocation, isDrifted: true } : relocation);
    return undefined;
  }
  const { replacements } = relocation;
  return {
    method: 'drift',
    reason: 'Drifted',
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates: [candidate],
    replacements,
    savingsPerHour: totalPrice([candidate]) - plannedPrice(replacements),
  };
}

const blockerOf = (candidate: Surveyed, ledger: BudgetLedger): Blocker | undefined =>
  driftBlocker(candidate) ?? ledger.blocker(candidate.nodePool.nodePool.metadata.name);

/** What the look for drift found, and how far it came. */
export interface DriftAnswer {
  readonly command?: Command;
  /** Node names; none unless time ran out. */
  readonly lookedAt: ReadonlySet<string>;
}

/**
 * Replaces one node that no longer is what its pool asks for, by as many machines as its pods need: the most urgent one that can go. Where time
 * runs out the next pass goes on with the others; one is looked at in any case.
 */
export function* lookingForDrift(pass: Pass): Steps<DriftAnswer> {
  const { shouldStop, driftLookedAt: before = new Set<string>() } = pass.context;
  const ledger = budgetLedger(pass.context, 'Drifted');
  const drifted = pass.candidates.filter((each) => isDrifted(each) && !isStatic(each));
  const round = new Round(drifted, before, (candidates) => [...candidates].sort(byUrgency));
  let isLate = false;
  for (const candidate of round.order) {
    isLate ||= shouldStop();
    const { name } = candidate.node;
    const blocker = blockerOf(candidate, ledger);
    if (blocker !== undefined) pass.note(name, blocker);
    else if (isLate && round.asked > 0) pass.note(name, { kind: 'stopped' });
    else {
      round.lookAt(candidate);
      const command = yield* replacing(round.asked === 1 ? patiently(pass) : pass, candidate);
      if (command !== undefined) return { command, lookedAt: new Set() };
    }
  }
  return { lookedAt: isLate ? round.lookedAt : new Set() };
}
