import type { Steps } from '../base/index.ts';
import type { Demand } from './classes/demand.ts';
import { solvingAfresh } from './solve-afresh.ts';
import type { Leftover, Places, Question, Solution } from './solve.ts';

/** How often the pods that are left over may be moved to the front: each time costs a whole answer. */
const MOST_TRIES = 3;

const sizeOf = (leftovers: readonly Leftover[]): number => leftovers.reduce((sum, { count }) => sum + count, 0);

/** Whether others are on a node that the class would go to, or where it is told to look at others at all. */
const isInTheWay = ({ podClass }: Demand, { existing }: Places): boolean =>
  podClass.topology !== undefined || existing.log.some(({ node }) => podClass.rungs.some((rung) => existing.acceptedBy(rung)[node] === 1));

/** Demands of pods that have no place, and that might have one had others not come before them. */
const stuckIn = ({ leftovers, budgets }: Solution, places: Places): readonly Demand[] => {
  const areLimitsFar = [...budgets].every(([template, budget]) => budget.allowance() === template.everyType);
  if (!areLimitsFar || leftovers.some(({ wasStopped }) => wasStopped)) return [];
  return leftovers
    .map(({ demand }) => demand)
    .filter((demand) => demand.podClass.shape.problem === undefined && isInTheWay(demand, places));
};

/**
 * First-fit; and where pods are left over that would have a place if they came first, once more with those in front. Large pods that do not
 * care take the room that a small one needs, because only there it has its label, or its company.
 * Differs: the original leaves such a pod pending. Where a limit was in the way nothing is tried again: then other pods would be left over.
 */
export function* solvingStuckFirst(places: Places, question: Question): Steps<Solution> {
  let { demands } = question;
  let solution = yield* solvingAfresh(places, question);
  for (let tries = 0; tries < MOST_TRIES && !question.shouldStop(); tries++) {
    const stuck = new Set(stuckIn(solution, places));
    if (stuck.size === 0 || stuck.size === demands.length) break;
    const alone = yield* solvingAfresh(places, { ...question, demands: [...stuck] });
    const first = [...stuck, ...demands.filter((demand) => !stuck.has(demand))];
    const isWorthwhile = sizeOf(alone.leftovers) < sizeOf(solution.leftovers);
    const other = isWorthwhile ? yield* solvingAfresh(places, { ...question, demands: first }) : solution;
    if (sizeOf(other.leftovers) >= sizeOf(solution.leftovers))
      return { ...solution, ...(yield* solvingAfresh(places, { ...question, demands })) };
    demands = first;
    solution = { ...other, isOutOfOrder: true };
  }
  return solution;
}
