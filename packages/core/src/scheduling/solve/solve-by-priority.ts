import type { Steps } from '../../base/index.ts';
import { priorityOf } from '../classes/demand.ts';
import type { Demand } from '../classes/demand.ts';
import { openDraft } from '../places/drafts/draft.ts';
import { countsByPriority, leavesFewer, mergedLeftovers } from './leftovers.ts';
import { solvingAfresh } from './solve-afresh.ts';
import { mayBeDisplaced, solvingStuckFirst } from './solve-stuck-first.ts';
import type { Places, Question, Solution } from './solve.ts';

/** The demand in parts of one priority each. Its pods stand in the order of their priorities. */
const byPriority = (demand: Demand): readonly Demand[] => {
  const parts: (Demand & { readonly pods: Demand['pods'][number][] })[] = [];
  let last: number | undefined;
  for (const pod of demand.pods) {
    const priority = priorityOf(pod);
    if (priority === last) parts.at(-1)?.pods.push(pod);
    else parts.push({ ...demand, pods: [pod] });
    last = priority;
  }
  return parts;
};

const priorityOfPart = ({ pods: [first] }: Demand): number => (first === undefined ? 0 : priorityOf(first));

/** Demands of higher priority first, otherwise in their order; those of buffers stay last. */
const inOrderOfPriority = (demands: readonly Demand[]): readonly Demand[] => [
  ...demands
    .filter(({ isBuffer }) => isBuffer !== true)
    .flatMap(byPriority)
    .sort((a, b) => priorityOfPart(b) - priorityOfPart(a)),
  ...demands.filter(({ isBuffer }) => isBuffer === true),
];

/**
 * Whether other pods may have kept the pods out: by the room that they took, or by the limits and offerings that they
 * used up. A pod that fits no machine would cost two more solves of every plan otherwise.
 */
export const mayBeKeptOut = (demand: Demand, places: Places): boolean => {
  const { podClass, rungs = demand.podClass.rungs } = demand;
  if (podClass.unknownResource !== undefined || podClass.problem !== undefined) return false;
  if (podClass.devices !== undefined || mayBeDisplaced(demand, places)) return true;
  return places.templates.some(({ initial, everyType }) =>
    rungs.some((rung) => initial !== undefined && openDraft(initial, { podClass, rung }, everyType) !== undefined),
  );
};

/** Whether a pod is left over while one of lower priority has a place, which it might have instead. */
const isUnfair = ({ leftovers }: Solution, demands: readonly Demand[], places: Places): boolean => {
  const left = mergedLeftovers(leftovers, demands);
  const highest = Math.max(...countsByPriority(left.filter(({ demand }) => mayBeKeptOut(demand, places))).keys());
  const countOf = new Map(left.map(({ demand, count }) => [demand, count]));
  return demands.some((demand) => {
    const lastPlaced = demand.isBuffer === true ? undefined : demand.pods[demand.pods.length - 1 - (countOf.get(demand) ?? 0)];
    return lastPlaced !== undefined && priorityOf(lastPlaced) < highest;
  });
};

/**
 * The solution of `solvingStuckFirst`. Where it leaves a pod over while one of lower priority has a place, pods are
 * placed in order of priority instead, if that gives more of the higher ones a place: under a limit, or where offerings
 * are out of stock, pods of higher priority are served first. Differs: the original places the largest pods first,
 * whatever their priority.
 */
export function* solvingByPriority(places: Places, question: Question): Steps<Solution> {
  const { demands, shouldStop } = question;
  const first = yield* solvingStuckFirst(places, question);
  if (first.leftovers.length === 0 || shouldStop() || !isUnfair(first, demands, places)) return first;
  const solution = yield* solvingAfresh(places, { ...question, demands: inOrderOfPriority(demands) });
  const leftovers = mergedLeftovers(solution.leftovers, demands);
  if (leavesFewer(leftovers, mergedLeftovers(first.leftovers, demands))) return { ...solution, leftovers, isOutOfOrder: true };
  return { ...(yield* solvingAfresh(places, { ...question, demands: first.order })), isOutOfOrder: first.isOutOfOrder ?? false };
}
