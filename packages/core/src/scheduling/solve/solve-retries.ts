import { highestOf } from '../../base/index.ts';
import { priorityOf } from '../pod-classes/pod-class.ts';
import type { PodSet } from '../pod-classes/pod-class.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution, UnplacedPods } from './solve.ts';
import type { Steps } from '../../base/index.ts';
import { limitLedgers } from '../nodes/limits/limit-ledger.ts';
import type { Topology } from '../topology/topology.ts';
import { forgettingRule, keepingTypes } from './type-rules.ts';
import { openNewNode } from '../nodes/new-nodes/new-node.ts';
import { headStartsFor, startingWith } from './head-starts.ts';

/** Unplaced pods that are no virtual pods of CapacityBuffers: those give way to all others. */
export const ofPods = (unplaced: readonly UnplacedPods[]): readonly UnplacedPods[] =>
  unplaced.filter(({ podSet }) => podSet.isBuffer !== true);

/** The unplaced pods of each pod set together, as the question has it: the last of its pods. */
export const mergedUnplaced = (unplaced: readonly UnplacedPods[], podSets: readonly PodSet[]): readonly UnplacedPods[] => {
  if (unplaced.length === 0) return unplaced;
  const byClass = Map.groupBy(unplaced, ({ podSet }) => podSet.podClass);
  return podSets.flatMap((podSet) => {
    const own = (byClass.get(podSet.podClass) ?? []).filter((unplacedPods) => unplacedPods.podSet.isBuffer === podSet.isBuffer);
    const count = own.reduce((total, unplacedPods) => total + unplacedPods.count, 0);
    return count === 0 ? [] : [{ podSet, count, wasStopped: own.some((each) => each.wasStopped), shortage: own.at(-1)?.shortage }];
  });
};

/** Priority → how many pods of it are left over. Takes unplaced pods that are merged. */
const countsByPriority = (unplaced: readonly UnplacedPods[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const { podSet, count } of ofPods(unplaced)) {
    for (const pod of podSet.pods.slice(podSet.pods.length - count)) counts.set(priorityOf(pod), (counts.get(priorityOf(pod)) ?? 0) + 1);
  }
  return counts;
};

/**
 * Whether the first leaves fewer pods unplaced, of the highest priority in which the two differ. Takes unplaced pods
 * that are merged.
 */
export const leavesFewer = (unplaced: readonly UnplacedPods[], than: readonly UnplacedPods[]): boolean => {
  const [counts, others] = [countsByPriority(unplaced), countsByPriority(than)];
  const difference = (priority: number): number => (counts.get(priority) ?? 0) - (others.get(priority) ?? 0);
  const different = [...counts.keys(), ...others.keys()].filter((priority) => difference(priority) !== 0);
  return difference(highestOf(different)) < 0;
};

/** Topology as in the snapshot, less the nodes that count as gone and their pods. */
function* resettingTopology(topology: Topology, { gone, movingFrom, domainOrder = 'emptiest' }: Question): Steps<void> {
  topology.rollBack();
  topology.domains.order = domainOrder;
  for (const node of gone) {
    topology.exclude(node);
    yield* topology.removingPods(movingFrom(node), node);
  }
}

/** First-fit from scratch: whatever was placed before is rolled back, and nodes that count as gone are excluded. */
export function* solvingAfresh(places: Places, question: Question): Steps<Solution> {
  const { existing, withTopology } = places;
  existing.rollBack();
  for (const { name } of question.gone) existing.exclude(name);
  for (const name of question.closed) existing.exclude(name);
  const ledgers = limitLedgers(places.templates, question.gone, places.reservations);
  if (withTopology !== undefined) {
    yield* resettingTopology(withTopology.topology, question);
    for (const [template, ledger] of ledgers) if (ledger.isExhausted()) withTopology.topology.closeTemplate(template);
  }
  if (question.types === undefined) return yield* solving(places, question, ledgers);
  return forgettingRule(yield* solving(places, question, keepingTypes(ledgers, question.types)), ledgers);
}

/** Undoes later solves. Even if the time is up by now: no pod of a solution that was found may be left over for that. */
const restoring = (places: Places, question: Question, { order }: Solution): Steps<Solution> =>
  solvingAfresh(places, { ...question, podSets: order, shouldStop: () => false });

/** Whether the time was up before all pods had their turn. */
export const wasStopped = ({ unplaced }: Solution): boolean => unplaced.some((each) => each.wasStopped);

/** The pod set in parts of one priority each. Its pods stand in the order of their priorities. */
const byPriority = (podSet: PodSet): readonly PodSet[] => {
  const parts: (PodSet & { readonly pods: PodSet['pods'][number][] })[] = [];
  let last: number | undefined;
  for (const pod of podSet.pods) {
    const priority = priorityOf(pod);
    if (priority === last) parts.at(-1)?.pods.push(pod);
    else parts.push({ ...podSet, pods: [pod] });
    last = priority;
  }
  return parts;
};

const priorityOfPart = ({ pods: [first] }: PodSet): number => (first === undefined ? 0 : priorityOf(first));

/** Pod sets of higher priority first, otherwise in their order; those of buffers stay last. */
const inOrderOfPriority = (podSets: readonly PodSet[]): readonly PodSet[] => [
  ...podSets
    .filter(({ isBuffer }) => isBuffer !== true)
    .flatMap(byPriority)
    .sort((a, b) => priorityOfPart(b) - priorityOfPart(a)),
  ...podSets.filter(({ isBuffer }) => isBuffer === true),
];

/**
 * Whether other pods may have kept the pods out: by the room that they took, or by the limits and offerings that they
 * used up. A pod that fits no machine would cost two more solves of every plan otherwise.
 */
export const mayBeKeptOut = (podSet: PodSet, places: Places): boolean => {
  const { podClass, terms = podSet.podClass.terms } = podSet;
  if (podClass.unknownResource !== undefined || podClass.problem !== undefined) return false;
  if (podClass.devices !== undefined || mayBeDisplaced(podSet, places)) return true;
  return places.templates.some(({ initial, everyType }) =>
    terms.some((term) => initial !== undefined && openNewNode(initial, { podClass, term }, everyType) !== undefined),
  );
};

/** Whether a pod is left over while one of lower priority has a place, which it might have instead. */
const isUnfair = ({ unplaced }: Solution, podSets: readonly PodSet[], places: Places): boolean => {
  const left = mergedUnplaced(unplaced, podSets);
  const highest = highestOf(countsByPriority(left.filter(({ podSet }) => mayBeKeptOut(podSet, places))).keys());
  const countOf = new Map(left.map(({ podSet, count }) => [podSet, count]));
  return podSets.some((podSet) => {
    const lastPlaced = podSet.isBuffer === true ? undefined : podSet.pods[podSet.pods.length - 1 - (countOf.get(podSet) ?? 0)];
    return lastPlaced !== undefined && priorityOf(lastPlaced) < highest;
  });
};

/**
 * The solution of `solvingStuckFirst`. It may leave a pod over while one of lower priority has a place. Then pods are
 * placed in order of priority instead, if that places more of the higher ones and the time suffices for all. Under a
 * limit, or if offerings are out of stock, pods of higher priority are served first. Differs: the original places the
 * largest pods first, whatever their priority.
 */
export function* solvingByPriority(places: Places, question: Question): Steps<Solution> {
  const { podSets, shouldStop } = question;
  const first = yield* solvingStuckFirst(places, question);
  if (first.unplaced.length === 0 || shouldStop() || !isUnfair(first, podSets, places)) return first;
  const solution = yield* solvingAfresh(places, { ...question, podSets: inOrderOfPriority(podSets) });
  const unplaced = mergedUnplaced(solution.unplaced, podSets);
  const isBetter = !wasStopped(solution) && leavesFewer(unplaced, mergedUnplaced(first.unplaced, podSets));
  if (isBetter) return { ...solution, unplaced, isOutOfOrder: true };
  return { ...(yield* restoring(places, question, first)), isOutOfOrder: first.isOutOfOrder ?? false };
}

/** How often the order of pod sets may be improved. */
const MOST_IMPROVEMENTS = 3;
/** How many head starts are tried on their own pod sets alone. */
const MOST_HEAD_STARTS = 24;
/** How many of those that help are then tried on all pod sets, each at the cost of a whole solve. */
const MOST_FULL_SOLVES = 3;

/** How many pods are left over, those of buffers not counted. */
const sizeOf = (unplaced: readonly UnplacedPods[]): number =>
  unplaced.reduce((sum, { podSet, count }) => (podSet.isBuffer === true ? sum : sum + count), 0);

/**
 * Whether other pods may have kept the pod set out: they took room on a node that it accepts, or its constraints depend
 * on them.
 */
const mayBeDisplaced = ({ podClass }: PodSet, { existing }: Places): boolean =>
  podClass.topology !== undefined || existing.log.some(({ node }) => podClass.terms.some((term) => existing.acceptedBy(term)[node] === 1));

/** Pod sets without a place that might have one if others had not been placed before them. */
const stuckIn = (solution: Solution, places: Places): readonly UnplacedPods[] => {
  const areLimitsFar = [...solution.ledgers].every(([template, ledger]) => ledger.allowedTypes() === template.everyType);
  if (!areLimitsFar || wasStopped(solution)) return [];
  return solution.unplaced.filter(
    ({ podSet }) => podSet.isBuffer !== true && podSet.podClass.shape.problem === undefined && mayBeDisplaced(podSet, places),
  );
};

/** What might be placed first: all that are stuck together, or one pod that leads one of them, after earlier leaders. */
const headStarts = (
  stuck: readonly UnplacedPods[],
  podSets: readonly PodSet[],
  { withTopology }: Places,
): readonly (readonly PodSet[])[] => {
  const found: (readonly PodSet[])[] = stuck.length > 0 && stuck.length < podSets.length ? [stuck.map(({ podSet }) => podSet)] : [];
  const topology = withTopology?.topology;
  const leading = podSets.filter(({ terms }) => terms !== undefined);
  const leaders = podSets.filter(({ isBuffer }) => isBuffer !== true);
  for (const { podSet } of stuck.slice(0, MOST_HEAD_STARTS)) {
    for (const headStart of topology === undefined ? [] : headStartsFor(podSet, leaders, topology)) {
      if (found.push([...leading, ...headStart]) === MOST_HEAD_STARTS) return found;
    }
  }
  return found;
};

/** Whether fewer than so many pods are left over, and no leading pod among them. */
const leavesFewerRequired = ({ unplaced }: Solution, than: number): boolean =>
  sizeOf(unplaced) < than && unplaced.every(({ podSet }) => podSet.terms === undefined);

/** An order of pod sets, and its solution. */
interface Order {
  readonly podSets: readonly PodSet[];
  readonly solution: Solution;
}

type Ask = (podSets: readonly PodSet[]) => Steps<Solution>;

/** An order that leaves fewer pods over; undefined when none is found. The places are left as the last solve filled them. */
function* improvingOrder({ podSets, solution }: Order, candidates: readonly (readonly PodSet[])[], ask: Ask): Steps<Order | undefined> {
  let fullSolves = 0;
  for (const headStart of candidates) {
    const classes = new Set(headStart.map(({ podClass }) => podClass));
    const before = sizeOf(solution.unplaced.filter(({ podSet }) => classes.has(podSet.podClass)));
    if (!leavesFewerRequired(yield* ask(headStart), before)) continue;
    const ordered = startingWith(headStart, podSets);
    const other = yield* ask(ordered);
    if (leavesFewerRequired(other, sizeOf(solution.unplaced))) return { podSets: ordered, solution: { ...other, isOutOfOrder: true } };
    if (++fullSolves === MOST_FULL_SOLVES) return undefined;
  }
  return undefined;
}

/**
 * First-fit; if pods are left over that would have a place earlier in the order, or after another pod, first-fit once
 * more with those in front. It mends what largest-first gets wrong: a large pod that could go anywhere takes the only
 * room that suits a small one. Differs: the original leaves such a pod pending. Nothing is tried again where a limit
 * was in the way, since other pods would be left over instead.
 */
function* solvingStuckFirst(places: Places, question: Question): Steps<Solution> {
  const ask: Ask = (podSets) => solvingAfresh(places, { ...question, podSets });
  let order: Order = { podSets: question.podSets, solution: yield* ask(question.podSets) };
  for (let improvements = 0; improvements < MOST_IMPROVEMENTS && !question.shouldStop(); improvements++) {
    const candidates = headStarts(stuckIn(order.solution, places), order.podSets, places);
    if (candidates.length === 0) break;
    const better = yield* improvingOrder(order, candidates, ask);
    if (better === undefined) return { ...order.solution, ...(yield* restoring(places, question, order.solution)) };
    order = better;
  }
  return order.solution;
}
