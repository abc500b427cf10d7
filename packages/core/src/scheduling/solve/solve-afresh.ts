import type { Steps } from '../../base/index.ts';
import { poolBudgets } from '../places/limits/limit-ledgers.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution } from './solve.ts';

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
  const budgets = poolBudgets(places.templates, question.gone, places.reservations);
  if (among !== undefined) for (const [template, budget] of budgets) if (budget.isSpent()) among.topology.shut(template);
  return yield* solving(places, question, budgets);
}
