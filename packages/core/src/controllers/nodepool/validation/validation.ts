import { settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import { budgetProblemsOf, nodePoolProblems } from '../../../apis/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import type { FieldProblem } from '../../../base/index.ts';
import { nodePoolConditions } from '../../../state/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';

const type = nodePoolConditions.validationSucceeded;

/** The API server takes 32,768 characters of a message. */
const MOST_NAMED = 20;
const LONGEST = 300;

const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`);

/** Field, value and what would be accepted, for each problem. */
const textOf = (problems: readonly FieldProblem[]): string => {
  const named = problems.slice(0, MOST_NAMED).map(({ field, value, problem }) => `${cut(field)}: ${JSON.stringify(cut(value))} ${problem}`);
  const others = problems.length - named.length;
  return [...named, ...(others > 0 ? [`and ${others} others`] : [])].join('; ');
};

/** `warnings` leave the condition True: the pool launches nodes, but its nodes are not disrupted. */
export const validationChange = (problems: readonly FieldProblem[], warnings: readonly FieldProblem[] = []): ConditionChange => {
  if (problems.length > 0) return { type, status: 'False', reason: 'NodePoolValidationFailed', message: textOf(problems) };
  return warnings.length === 0 ? { type, status: 'True' } : { type, status: 'True', message: `No node is disrupted: ${textOf(warnings)}` };
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
