import { priorityOf } from '../classes/pod-class.ts';
import type { Demand, PodClass } from '../classes/pod-class.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution, UnplacedDemand } from './solve.ts';
import type { Steps } from '../../base/index.ts';
import { limitLedgers } from '../places/limits/limit-ledger.ts';
import type { Topology } from '../topology/topology.ts';
import { forgettingRule, keepingTypes } from './kept-types.ts';
import { openNewNode } from '../places/new-nodes/new-node.ts';
import { headStartsFor, startingWith } from './head-starts.ts';

/** Leftovers that are no virtual pods of CapacityBuffers: those give way to all others. */
export const ofPods = (leftovers: readonly UnplacedDemand[]): readonly UnplacedDemand[] =>
  leftovers.filter(({ demand }) => demand.isBuffer !== true);

/** The leftovers of each pod group together, as the question has it: the last of its pods. */
export const mergedLeftovers = (leftovers: readonly UnplacedDemand[], demands: readonly Demand[]): readonly UnplacedDemand[] => {
  if (leftovers.length === 0) return leftovers;
  const byClass = new Map<PodClass, UnplacedDemand[]>();
  for (const leftover of leftovers) {
    const own = byClass.get(leftover.demand.podClass);
    if (own === undefined) byClass.set(leftover.demand.podClass, [leftover]);
    else own.push(leftover);
  }
  return demands.flatMap((demand) => {
    const own = (byClass.get(demand.podClass) ?? []).filter((leftover) => leftover.demand.isBuffer === demand.isBuffer);
    const count = own.reduce((total, leftover) => total + leftover.count, 0);
    return count === 0 ? [] : [{ demand, count, wasStopped: own.some(({ wasStopped }) => wasStopped) }];
  });
};

/** Priority → how many pods of it are left over. Takes leftovers that are merged. */
const countsByPriority = (leftovers: readonly UnplacedDemand[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const { demand, count } of ofPods(leftovers)) {
    for (const pod of demand.pods.slice(demand.pods.length - count)) counts.set(priorityOf(pod), (counts.get(priorityOf(pod)) ?? 0) + 1);
  }
  return counts;
};

/**
 * Whether the first leaves fewer pods over, of the highest priority in which the two differ. Takes leftovers that are
 * merged.
 */
export const leavesFewer = (leftovers: readonly UnplacedDemand[], than: readonly UnplacedDemand[]): boolean => {
  const [counts, others] = [countsByPriority(leftovers), countsByPriority(than)];
  const difference = (priority: number): number => (counts.get(priority) ?? 0) - (others.get(priority) ?? 0);
  const different = [...counts.keys(), ...others.keys()].filter((priority) => difference(priority) !== 0);
  return different.length > 0 && difference(Math.max(...different)) < 0;
};

/** Topology as in the snapshot, less the nodes that count as gone and their pods. */
const resetTopology = (topology: Topology, { gone, movingFrom, domainOrder = 'emptiest' }: Question): void => {
  topology.rollBack();
  topology.domains.order = domainOrder;
  for (const node of gone) {
    topology.exclude(node);
    topology.removePods(movingFrom(node), node);
  }
};

/** First-fit from scratch: whatever was placed before is rolled back, and nodes that count as gone are excluded. */
export function* solvingAfresh(places: Places, question: Question): Steps<Solution> {
  const { existing, withTopology } = places;
  existing.rollBack();
  for (const { name } of question.gone) existing.exclude(name);
  for (const name of question.closed) existing.exclude(name);
  const ledgers = limitLedgers(places.templates, question.gone, places.reservations);
  if (withTopology !== undefined) {
    resetTopology(withTopology.topology, question);
    for (const [template, ledger] of ledgers) if (ledger.isExhausted()) withTopology.topology.closeTemplate(template);
  }
  if (question.types === undefined) return yield* solving(places, question, ledgers);
  return forgettingRule(yield* solving(places, question, keepingTypes(ledgers, question.types)), ledgers);
}

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
  const { podClass, terms = demand.podClass.terms } = demand;
  if (podClass.unknownResource !== undefined || podClass.problem !== undefined) return false;
  if (podClass.devices !== undefined || mayBeDisplaced(demand, places)) return true;
  return places.templates.some(({ initial, everyType }) =>
    terms.some((term) => initial !== undefined && openNewNode(initial, { podClass, term }, everyType) !== undefined),
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
const mayBeDisplaced = ({ podClass }: Demand, { existing }: Places): boolean =>
  podClass.topology !== undefined || existing.log.some(({ node }) => podClass.terms.some((term) => existing.acceptedBy(term)[node] === 1));

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
  const leading = demands.filter(({ terms }) => terms !== undefined);
  const leaders = demands.filter(({ isBuffer }) => isBuffer !== true);
  for (const { demand } of stuck.slice(0, MOST_HEAD_STARTS)) {
    for (const headStart of topology === undefined ? [] : headStartsFor(demand, leaders, topology)) {
      if (found.push([...leading, ...headStart]) === MOST_HEAD_STARTS) return found;
    }
  }
  return found;
};

/** Whether fewer than so many pods are left over, and no leading pod among them. */
const leavesFewerRequired = ({ leftovers }: Solution, than: number): boolean =>
  sizeOf(leftovers) < than && leftovers.every(({ demand }) => demand.terms === undefined);

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
    if (!leavesFewerRequired(yield* ask(headStart), before)) continue;
    const ordered = startingWith(headStart, demands);
    const other = yield* ask(ordered);
    if (leavesFewerRequired(other, sizeOf(solution.leftovers))) return { demands: ordered, solution: { ...other, isOutOfOrder: true } };
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
function* solvingStuckFirst(places: Places, question: Question): Steps<Solution> {
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
