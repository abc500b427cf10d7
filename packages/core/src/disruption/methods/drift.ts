import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budget-ledger.ts';
import { totalPrice } from '../cheaper-replacement.ts';
import type { Command } from '../command.ts';
import { driftBlocker, isDrifted, isStatic } from '../method-blocker.ts';
import type { Pass } from '../pass.ts';
import { plannedPrice } from '../planned-price.ts';
import { relocating } from '../relocation.ts';
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

/** Replaces one node that no longer is what its pool asks for, by as many machines as its pods need. */
export function* lookingForDrift(pass: Pass): Steps<Command | undefined> {
  const ledger = budgetLedger(pass.context, 'Drifted');
  for (const candidate of pass.candidates.filter((each) => isDrifted(each) && !isStatic(each)).sort(byUrgency)) {
    const { name } = candidate.node;
    const nodePoolName = candidate.nodePool.nodePool.metadata.name;
    const blocker = driftBlocker(candidate);
    if (blocker !== undefined) pass.note(name, blocker);
    else if (ledger.left(nodePoolName) < 1) pass.note(name, ledger.blocker(nodePoolName));
    else if (pass.context.shouldStop()) pass.note(name, { kind: 'stopped' });
    else {
      const command = yield* replacing(pass, candidate);
      if (command !== undefined) return command;
    }
  }
  return undefined;
}
