import type { Steps } from '../../base/index.ts';
import type { Demand } from '../classes/demand.ts';
import { headStartsFor, startingWith } from './head-starts.ts';
import { solvingAfresh } from './solve-afresh.ts';
import type { UnplacedDemand, Places, Question, Solution } from './solve.ts';

/** How often the order of demands may be improved. */
const MOST_IMPROVEMENTS = 3;
/** How many head starts are tried on their own demands alone. */
const MOST_HEAD_STARTS = 24;
/** How many of those that help are then tried on all demands, each at the cost of a whole solve. */
const MOST_FULL_SOLVES = 3;

/** How many pods are left over, those of buffers not counted. */
const sizeOf = (leftovers: readonly UnplacedDemand[]): number =>
  leftovers.reduce((sum, { demand, count }) => (demand.isBuffer === true ? sum : sum + count), 0);

/**
 * Whether other pods may have kept the demand out: they took room on a node that it accepts, or its constraints depend
 * on them.
 */
export const mayBeDisplaced = ({ podClass }: Demand, { existing }: Places): boolean =>
  podClass.topology !== undefined || existing.log.some(({ node }) => podClass.rungs.some((rung) => existing.acceptedBy(rung)[node] === 1));

/** Demands without a place that might have one if others had not been placed before them. */
const stuckIn = ({ leftovers, ledgers }: Solution, places: Places): readonly UnplacedDemand[] => {
  const areLimitsFar = [...ledgers].every(([template, ledger]) => ledger.allowedTypes() === template.everyType);
  if (!areLimitsFar || leftovers.some(({ wasStopped }) => wasStopped)) return [];
  return leftovers.filter(
    ({ demand }) => demand.isBuffer !== true && demand.podClass.shape.problem === undefined && mayBeDisplaced(demand, places),
  );
};

/** What might be placed first: all that are stuck together, or one pod that leads one of them, after earlier leaders. */
const headStarts = (
  stuck: readonly UnplacedDemand[],
  demands: readonly Demand[],
  { withTopology }: Places,
): readonly (readonly Demand[])[] => {
  const found: (readonly Demand[])[] = stuck.length > 0 && stuck.length < demands.length ? [stuck.map(({ demand }) => demand)] : [];
  const topology = withTopology?.topology;
  const leading = demands.filter(({ rungs }) => rungs !== undefined);
  const leaders = demands.filter(({ isBuffer }) => isBuffer !== true);
  for (const { demand } of stuck.slice(0, MOST_HEAD_STARTS)) {
    for (const headStart of topology === undefined ? [] : headStartsFor(demand, leaders, topology)) {
      if (found.push([...leading, ...headStart]) === MOST_HEAD_STARTS) return found;
    }
  }
  return found;
};

/** Whether fewer than so many pods are left over, and no leading pod among them. */
const leavesFewer = ({ leftovers }: Solution, than: number): boolean =>
  sizeOf(leftovers) < than && leftovers.every(({ demand }) => demand.rungs === undefined);

/** An order of demands, and its solution. */
interface Order {
  readonly demands: readonly Demand[];
  readonly solution: Solution;
}

type Ask = (demands: readonly Demand[]) => Steps<Solution>;

/** An order that leaves fewer pods over; undefined when none is found. The places are left as the last solve filled them. */
function* improvingOrder({ demands, solution }: Order, candidates: readonly (readonly Demand[])[], ask: Ask): Steps<Order | undefined> {
  let fullSolves = 0;
  for (const headStart of candidates) {
    const classes = new Set(headStart.map(({ podClass }) => podClass));
    const before = sizeOf(solution.leftovers.filter(({ demand }) => classes.has(demand.podClass)));
    if (!leavesFewer(yield* ask(headStart), before)) continue;
    const ordered = startingWith(headStart, demands);
    const other = yield* ask(ordered);
    if (leavesFewer(other, sizeOf(solution.leftovers))) return { demands: ordered, solution: { ...other, isOutOfOrder: true } };
    if (++fullSolves === MOST_FULL_SOLVES) return undefined;
  }
  return undefined;
}

/**
 * First-fit; where pods are left over that would have a place if they came first, or if another pod led the way,
 * first-fit once more with those in front. It mends what largest-first gets wrong: a large pod that could go anywhere
 * takes the only room that suits a small one. Differs: the original leaves such a pod pending. Nothing is tried again
 * where a limit was in the way, since other pods would be left over instead.
 */
export function* solvingStuckFirst(places: Places, question: Question): Steps<Solution> {
  const ask: Ask = (demands) => solvingAfresh(places, { ...question, demands });
  let order: Order = { demands: question.demands, solution: yield* ask(question.demands) };
  for (let improvements = 0; improvements < MOST_IMPROVEMENTS && !question.shouldStop(); improvements++) {
    const candidates = headStarts(stuckIn(order.solution, places), order.demands, places);
    if (candidates.length === 0) break;
    const better = yield* improvingOrder(order, candidates, ask);
    if (better === undefined) return { ...order.solution, ...(yield* ask(order.demands)) };
    order = better;
  }
  return order.solution;
}
