import type { Steps } from '../../base/index.ts';
import { budgetLedger } from '../budget-ledger.ts';
import { bySavings, inTurn } from '../candidate-order.ts';
import type { Command } from '../command.ts';
import { consolidating } from '../consolidate.ts';
import type { Pass } from '../pass.ts';
import type { Surveyed } from '../survey.ts';

/** What single-node consolidation found, and the pools with nodes that it did not get to. */
export interface SingleNodeAnswer {
  readonly command?: Command;
  readonly unreachedPools: readonly string[];
}

const poolOf = ({ nodePool }: Surveyed): string => nodePool.nodePool.metadata.name;

/** Gives up the first node, pools taking turns, whose pods fit elsewhere or on one cheaper machine. */
export function* lookingForOne(pass: Pass, consolidatable: readonly Surveyed[]): Steps<SingleNodeAnswer> {
  const { shouldStop, poolsFirst = [] } = pass.context;
  const ledger = budgetLedger(pass.context, 'Underutilized');
  const unreached = new Set<string>();
  for (const candidate of inTurn([...consolidatable].sort(bySavings), poolsFirst)) {
    const { name } = candidate.node;
    const nodePoolName = poolOf(candidate);
    if (ledger.left(nodePoolName) < 1) pass.note(name, { kind: 'budget', reason: 'Underutilized', nodePoolName });
    else if (unreached.size > 0 || shouldStop()) {
      unreached.add(nodePoolName);
      pass.note(name, { kind: 'stopped' });
    } else {
      const consolidation = yield* consolidating(pass, [candidate]);
      if (!('kind' in consolidation)) {
        return { command: { method: 'single-node', reason: 'Underutilized', ...consolidation }, unreachedPools: [] };
      }
      pass.note(name, consolidation);
    }
  }
  return { unreachedPools: [...unreached].sort() };
}
