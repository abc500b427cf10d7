import type { Steps } from '../base/index.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution } from './solve.ts';

/** A solution and the question that it answers, which may have become a frugal one. */
export interface Solved {
  readonly solution: Solution;
  readonly question: Question;
}

const leftOver = ({ leftovers }: Solution): number => leftovers.reduce((sum, { count }) => sum + count, 0);

const isCutShort = ({ leftovers, budgets }: Solution): boolean =>
  leftovers.some(({ demand, wasStopped }) => demand.podClass.shape.problem === undefined && !wasStopped) &&
  [...budgets.values()].some(({ isLimited }) => isLimited);

/** First-fit from the snapshot on, with the nodes taken out that count as gone. */
function* solvingAfresh(places: Places, question: Question): Steps<Solved> {
  places.existing.rollBack();
  places.among?.topology.rollBack();
  for (const node of question.gone) {
    places.existing.exclude(node.name);
    places.among?.topology.exclude(node);
    places.among?.topology.leave(question.movingFrom(node), node);
  }
  return { question, solution: yield* solving(places, question) };
}

/**
 * First-fit, and where pods were left over by a pool with limits, once more with frugal nodes: a node that is charged with the largest size
 * it may have can keep a second one from being planned at all. The answer that places more pods counts.
 * Differs: the original waits for the next round, when it knows what was launched.
 */
export function* solvingWithinLimits(places: Places, question: Question): Steps<Solved> {
  const first = yield* solvingAfresh(places, question);
  if (!isCutShort(first.solution)) return first;
  const frugal = yield* solvingAfresh(places, { ...question, isFrugal: true });
  return leftOver(frugal.solution) < leftOver(first.solution) ? frugal : yield* solvingAfresh(places, question);
}
