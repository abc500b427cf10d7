import { nodeClaimConditions } from '../../apis/index.ts';
import { compareText, epochMsOf } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import type { BudgetLedger } from '../budgets/budget-ledger.ts';
import { totalPrice } from '../consolidation/cheaper-replacement.ts';
import type { Command } from '../command.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { backoffBlocker, driftBlocker, isDrifted, isEmptyNode, isStatic } from '../blockers/method-blocker.ts';
import { patiently } from '../pass/pass.ts';
import type { Pass } from '../pass/pass.ts';
import { plannedPrice } from '../candidates/node-price.ts';
import { relocating } from '../pass/relocation.ts';
import { Round } from '../pass/round.ts';
import type { Surveyed } from '../pass/survey.ts';

const driftedSince = ({ node }: Surveyed): number =>
  epochMsOf(conditionOf(node.claim?.status?.conditions, nodeClaimConditions.drifted)?.lastTransitionTime) ?? 0;

/** Empty nodes first, then those that drifted longest ago; ties by name. */
export const byUrgency = (a: Surveyed, b: Surveyed): number =>
  Number(isEmptyNode(b)) - Number(isEmptyNode(a)) || driftedSince(a) - driftedSince(b) || compareText(a.node.name, b.node.name);

function* replacing(pass: Pass, candidate: Surveyed): Steps<Command | undefined> {
  const relocation = yield* relocating(pass, [candidate], { avoidsSettling: false });
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
    savingsPerHour: totalPrice([candidate]) - plannedPrice(replacements, pass.context.policy),
  };
}

const blockerOf = (candidate: Surveyed, ledger: BudgetLedger, context: DisruptionContext): Blocker | undefined =>
  driftBlocker(candidate) ?? backoffBlocker(candidate, context) ?? ledger.blocker(candidate.nodePool.nodePool.metadata.name);

/** What drift proposes, and which nodes it looked at. */
export interface DriftAnswer {
  readonly command?: Command;
  /** Node names; none unless time ran out. */
  readonly lookedAt: ReadonlySet<string>;
}

/**
 * Replaces one drifted node by as many machines as its pods need: the most urgent one that can go. If time runs out,
 * the next pass continues with the others; at least one is looked at in each pass.
 */
export function* proposingDrift(pass: Pass): Steps<DriftAnswer> {
  const { shouldStop, driftLookedAt: before = new Set<string>() } = pass.context;
  const ledger = budgetLedger(pass.context, 'Drifted');
  const drifted = pass.candidates.filter((each) => isDrifted(each) && !isStatic(each));
  const round = new Round(drifted, before, (candidates) => [...candidates].sort(byUrgency));
  let isLate = false;
  for (const candidate of round.order) {
    isLate ||= shouldStop();
    const { name } = candidate.node;
    const blocker = blockerOf(candidate, ledger, pass.context);
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
