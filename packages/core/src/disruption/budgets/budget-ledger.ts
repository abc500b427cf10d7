import type { DisruptionReason } from '../../apis/index.ts';
import { disruptionAllowances } from './disruption-allowances.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { DisruptionContext } from '../disruption-context.ts';

/** Counts how many more nodes of each pool may go for one reason. */
export interface BudgetLedger {
  /** Charges one node to the pool's budget; false when it allows no more. */
  readonly take: (nodePoolName: string) => boolean;
  readonly left: (nodePoolName: string) => number;
  /** Why another node of the pool may not go; `undefined` while one may. */
  readonly blocker: (nodePoolName: string) => Blocker | undefined;
}

/**
 * A fresh ledger: what the pools' budgets allow for the reason, less the nodes that are not ready or on their way out
 * already.
 */
export const budgetLedger = (context: DisruptionContext, reason: DisruptionReason): BudgetLedger => {
  const read = new Map(disruptionAllowances(context, [reason]).map((allowance) => [allowance.nodePoolName, allowance]));
  const remaining = new Map([...read].map(([name, { allowed, disrupting }]) => [name, Math.max(0, allowed - disrupting)]));
  const left = (nodePoolName: string): number => remaining.get(nodePoolName) ?? 0;
  return {
    left,
    take: (nodePoolName) => {
      if (left(nodePoolName) < 1) return false;
      remaining.set(nodePoolName, left(nodePoolName) - 1);
      return true;
    },
    blocker: (nodePoolName) => {
      if (left(nodePoolName) > 0) return undefined;
      const { allowed = 0, disrupting = 0, budget } = read.get(nodePoolName) ?? {};
      const going = Math.max(disrupting, allowed - left(nodePoolName));
      return { kind: 'budget', reason, nodePoolName, allowed, disrupting: going, ...(budget && { budget }) };
    },
  };
};
