import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budgets/budget-ledger.ts';
import { bySavings } from '../candidates/candidate.ts';
import { totalPrice } from '../consolidation/cheaper-replacement.ts';
import type { Command } from '../command.ts';
import { emptinessBlocker, isEmptyNode, isStatic, targetBlocker } from '../blockers/method-blocker.ts';
import { minimumLedger } from '../pass/minimum-ledger.ts';
import type { Pass } from '../pass/pass.ts';

/** Deletes every empty node that the budgets and the minimum of its pool allow, in one command. */
export function* proposingEmptiness(pass: Pass): Steps<Command | undefined> {
  const empty = pass.candidates.filter((each) => isEmptyNode(each) && !isStatic(each));
  if (empty.length === 0) return undefined;
  const { hosts } = yield* pass.bufferPlaces();
  const ledger = budgetLedger(pass.context, 'Empty');
  const keptBy = minimumLedger(pass.context);
  const candidates = empty
    // Consolidation may still replace them by cheaper nodes.
    .filter(({ node }) => !hosts.has(node.name))
    .sort(bySavings)
    .filter((candidate) => {
      const nodePoolName = candidate.nodePool.nodePool.metadata.name;
      const own = emptinessBlocker(candidate) ?? targetBlocker(candidate, pass.context);
      const blocker = own ?? ledger.blocker(nodePoolName) ?? keptBy(candidate);
      if (blocker === undefined) return ledger.take(nodePoolName);
      pass.note(candidate.node.name, blocker);
      return false;
    });
  if (candidates.length === 0) return undefined;
  return { method: 'emptiness', reason: 'Empty', decision: 'delete', candidates, replacements: [], savingsPerHour: totalPrice(candidates) };
}
