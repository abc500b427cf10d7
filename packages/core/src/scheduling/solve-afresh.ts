import { isEmptyBitSet } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { NodeView } from '../cluster/index.ts';
import type { NodeTemplate } from './places/node-template.ts';
import { poolBudget } from './places/pool-budget.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution } from './solve.ts';

/** Whether the limits of the pool leave no machine at all. */
const isSpent = (template: NodeTemplate, gone: readonly NodeView[]): boolean =>
  template.pool.nodePool.spec.limits !== undefined && isEmptyBitSet(poolBudget(template, gone).allowance().types);

/** First-fit from the snapshot on, with the nodes taken out that count as gone. */
export function* solvingAfresh(places: Places, question: Question): Steps<Solution> {
  const { existing, among } = places;
  existing.rollBack();
  among?.topology.rollBack();
  for (const node of question.gone) {
    existing.exclude(node.name);
    among?.topology.exclude(node);
    among?.topology.leave(question.movingFrom(node), node);
  }
  for (const name of question.closed) existing.exclude(name);
  if (among !== undefined) for (const each of places.templates) if (isSpent(each, question.gone)) among.topology.shut(each);
  return yield* solving(places, question);
}
