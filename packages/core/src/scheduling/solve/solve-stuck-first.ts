import type { Steps } from '../../base/index.ts';
import type { Demand } from '../classes/demand.ts';
import { escorts } from './head-starts.ts';
import { solvingAfresh } from './solve-afresh.ts';
import type { Leftover, Places, Question, Solution } from './solve.ts';

/** How often an order may be bettered. */
const MOST_TRIES = 3;
/** How many ways to begin are tried on the stuck pods alone, and how many of these on all: that costs a whole answer. */
const MOST_BEGINNINGS = 24;
const MOST_WHOLE = 3;

const sizeOf = (leftovers: readonly Leftover[]): number => leftovers.reduce((sum, { count }) => sum + count, 0);

/** Whether others are on a node that the class would go to, or where it is told to look at others at all. */
const isInTheWay = ({ podClass }: Demand, { existing }: Places): boolean =>
  podClass.topology !== undefined || existing.log.some(({ node }) => podClass.rungs.some((rung) => existing.acceptedBy(rung)[node] === 1));

/** Demands of pods that have no place, and that might have one had others not come before them. */
const stuckIn = ({ leftovers, budgets }: Solution, places: Places): readonly Leftover[] => {
  const areLimitsFar = [...budgets].every(([template, budget]) => budget.allowance() === template.everyType);
  if (!areLimitsFar || leftovers.some(({ wasStopped }) => wasStopped)) return [];
  return leftovers.filter(({ demand }) => demand.podClass.shape.problem === undefined && isInTheWay(demand, places));
};

/** Who might come first: all that are stuck, or one pod that leads one of them, after those that lead already. */
const beginningsFor = (stuck: readonly Leftover[], demands: readonly Demand[], { among }: Places): readonly (readonly Demand[])[] => {
  const beginnings: (readonly Demand[])[] = stuck.length > 0 && stuck.length < demands.length ? [stuck.map(({ demand }) => demand)] : [];
  const topology = among?.topology;
  const leading = demands.filter(({ rungs }) => rungs !== undefined);
  for (const { demand } of stuck.slice(0, MOST_BEGINNINGS)) {
    for (const escort of topology === undefined ? [] : escorts(demand, demands, topology)) {
      if (beginnings.push([...leading, ...escort]) === MOST_BEGINNINGS) return beginnings;
    }
  }
  return beginnings;
};

/** The beginning, then all that it leaves. */
const startingWith = (beginning: readonly Demand[], demands: readonly Demand[]): readonly Demand[] => {
  const taken = new Set(beginning.flatMap(({ pods }) => pods));
  const rest = demands.map((demand) => ({ ...demand, pods: demand.pods.filter((pod) => !taken.has(pod)) }));
  return [...beginning, ...rest.filter(({ pods }) => pods.length > 0)];
};

/** Whether fewer than so many pods are left over, and none that was sent to some place only. */
const leavesFewer = ({ leftovers }: Solution, than: number): boolean =>
  sizeOf(leftovers) < than && leftovers.every(({ demand }) => demand.rungs === undefined);

/** An order of demands, and what it comes to. */
interface Order {
  readonly demands: readonly Demand[];
  readonly solution: Solution;
}

type Ask = (demands: readonly Demand[]) => Steps<Solution>;

/** An order that leaves fewer pods over; undefined when none is found. The places are left with what was asked last. */
function* bettering({ demands, solution }: Order, beginnings: readonly (readonly Demand[])[], ask: Ask): Steps<Order | undefined> {
  let wholes = 0;
  for (const beginning of beginnings) {
    const classes = new Set(beginning.map(({ podClass }) => podClass));
    const before = sizeOf(solution.leftovers.filter(({ demand }) => classes.has(demand.podClass)));
    if (!leavesFewer(yield* ask(beginning), before)) continue;
    const ordered = startingWith(beginning, demands);
    const other = yield* ask(ordered);
    if (leavesFewer(other, sizeOf(solution.leftovers))) return { demands: ordered, solution: { ...other, isOutOfOrder: true } };
    if (++wholes === MOST_WHOLE) return undefined;
  }
  return undefined;
}

/**
 * First-fit; and where pods are left over that would have a place if they came first, or if another went where they can follow, once more with
 * those in front. Large pods that do not care take the room that a small one needs, because only there it has its label, or its company.
 * Differs: the original leaves such a pod pending. Where a limit was in the way nothing is tried again: then other pods would be left over.
 */
export function* solvingStuckFirst(places: Places, question: Question): Steps<Solution> {
  const ask: Ask = (demands) => solvingAfresh(places, { ...question, demands });
  let order: Order = { demands: question.demands, solution: yield* ask(question.demands) };
  for (let tries = 0; tries < MOST_TRIES && !question.shouldStop(); tries++) {
    const beginnings = beginningsFor(stuckIn(order.solution, places), order.demands, places);
    if (beginnings.length === 0) break;
    const better = yield* bettering(order, beginnings, ask);
    if (better === undefined) return { ...order.solution, ...(yield* ask(order.demands)) };
    order = better;
  }
  return order.solution;
}
