import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../actions/index.ts';
import type { ConditionChange } from '../../actions/index.ts';
import { budgetProblemsOf, nodePoolProblems } from '../../apis/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { problemsText } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

const type = nodePoolConditions.validationSucceeded;

/** `warnings` leave the condition True: the pool launches nodes, but its nodes are not disrupted. */
export const validationChange = (problems: readonly FieldProblem[], warnings: readonly FieldProblem[] = []): ConditionChange => {
  if (problems.length > 0) return { type, status: 'False', reason: 'NodePoolValidationFailed', message: problemsText(problems) };
  return warnings.length === 0
    ? { type, status: 'True' }
    : { type, status: 'True', message: `No node is disrupted: ${problemsText(warnings)}` };
};

/** Keeps `ValidationSucceeded` on pools: what the API server could not check, because only the provider knows its labels. */
export const validation = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.validation',
  kind: 'NodePool',
  async reconcile(pool, { signal }) {
    if (!isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    const change = validationChange(nodePoolProblems(pool, shell.provider.labelCatalog), budgetProblemsOf(pool));
    await writePoolStatus(shell, { pool, conditions: [change] }, { signal, nowMs: shell.clock.now() });
    return settled;
  },
});
