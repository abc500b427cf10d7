import { highestOf } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { podGroupOf } from '../../cluster/index.ts';
import type { ClusterSnapshot, PodGroup } from '../../cluster/index.ts';
import { isActive } from '../../kube/index.ts';
import { priorityOf, podCountOf } from '../pod-classes/pod-class.ts';
import type { PodSet } from '../pod-classes/pod-class.ts';
import { mayBeKeptOut, mergedUnplaced, solvingAfresh, solvingByPriority, wasStopped } from './solve-retries.ts';
import type { UnplacedPods, Places, Question, Solution } from './solve.ts';

/** A pod group with pods that want a place. */
export interface WantingGroup {
  readonly name: string;
  readonly minMember: number;
  readonly podSets: readonly PodSet[];
  /** How many of its pods stay where they are, or have succeeded. */
  readonly staying: number;
}

/** A pod group that gets no place in this plan, since not enough of its pods would. */
export interface DroppedGroup {
  readonly group: WantingGroup;
  /** How many of its pods would have had a place, those that stay included. */
  readonly placed: number;
  /** The pods that lacked one, and what the limits still allowed then; absent where the group has too few pods. */
  readonly lacking?: { readonly unplaced: UnplacedPods; readonly ledgers: Solution['ledgers'] };
}

/** A solution in which each pod group has its places or none. */
export interface WholeSolution {
  readonly solution: Solution;
  /** Without the pods of dropped groups. */
  readonly question: Question;
  readonly dropped: readonly DroppedGroup[];
}

/** Groups are dropped one by one before this round. Each round costs a whole solve. */
const LAST_ROUND = 4;

/** The pods that stay, and what else is known of groups. */
type GroupSource = Pick<ClusterSnapshot, 'nodes' | 'podGroups'>;

/** Group → how many of its pods have succeeded, or run or are expected on nodes, and neither move nor end. */
const stayingByGroup = ({ nodes, podGroups }: GroupSource, podSets: readonly PodSet[]): ReadonlyMap<string, number> => {
  const moving = new Set(podSets.flatMap(({ pods }) => pods));
  const counts = new Map([...(podGroups ?? [])].map(([name, { succeeded }]) => [name, succeeded]));
  for (const { pods } of nodes) {
    for (const pod of pods) {
      const name = moving.has(pod) || !isActive(pod) ? undefined : podGroupOf(pod, podGroups)?.name;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
};

/** Pods whose group is read between two pauses. */
const PODS_A_STEP = 2048;

/** The pod groups among the pod sets, in their order. Where pods of one group disagree on its size, the largest counts. */
export function* gatheringGroups(podSets: readonly PodSet[], snapshot: GroupSource): Steps<readonly WantingGroup[]> {
  const found = new Map<string, { readonly podSets: PodSet[]; minMember: number }>();
  let read = 0;
  for (const podSet of podSets) {
    const sizes: PodGroup[] = [];
    for (const pod of podSet.isBuffer === true ? [] : podSet.pods) {
      const group = podGroupOf(pod, snapshot.podGroups);
      if (group !== undefined) sizes.push(group);
      if (++read % PODS_A_STEP === 0) yield;
    }
    const [first] = sizes;
    if (first === undefined) continue;
    const group = found.get(first.name) ?? { podSets: [], minMember: 0 };
    group.podSets.push(podSet);
    for (const { minMember } of sizes) group.minMember = Math.max(group.minMember, minMember);
    found.set(first.name, group);
  }
  if (found.size === 0) return [];
  const staying = stayingByGroup(snapshot, podSets);
  return [...found].map(([name, group]) => ({ name, ...group, staying: staying.get(name) ?? 0 }));
}

const unplacedOf = (group: WantingGroup, unplaced: readonly UnplacedPods[]): readonly UnplacedPods[] => {
  const classes = new Set(group.podSets.map(({ podClass }) => podClass));
  return unplaced.filter(({ podSet }) => classes.has(podSet.podClass));
};

const placedOf = (group: WantingGroup, unplaced: readonly UnplacedPods[]): number =>
  podCountOf(group.podSets) - unplacedOf(group, unplaced).reduce((total, { count }) => total + count, 0);

const lacksPlaces = (group: WantingGroup, unplaced: readonly UnplacedPods[]): boolean =>
  group.staying + placedOf(group, unplaced) < group.minMember;

/** Whether some of the group have a place, and too few. */
const isTorn = (group: WantingGroup, unplaced: readonly UnplacedPods[]): boolean =>
  placedOf(group, unplaced) > 0 && lacksPlaces(group, unplaced);

/** Whether so many of its pods fit no machine that the group would lack places even without other pods. */
const isHopeless = (group: WantingGroup, unplaced: readonly UnplacedPods[], places: Places): boolean =>
  lacksPlaces(
    group,
    unplaced.filter(({ podSet }) => !mayBeKeptOut(podSet, places)),
  );

const highestPriority = ({ podSets }: WantingGroup): number => highestOf(podSets.flatMap(({ pods }) => pods.map(priorityOf)));

/** The one to drop first: of the lowest priority, then the last. */
const leastOf = (groups: readonly WantingGroup[]): readonly WantingGroup[] =>
  groups
    .toReversed()
    .toSorted((a, b) => highestPriority(a) - highestPriority(b))
    .slice(0, 1);

/** The pod sets of each group together, at the place of its first: one group is filled after the other. */
const groupByGroup = (podSets: readonly PodSet[], groups: readonly WantingGroup[]): readonly PodSet[] => {
  const groupOf = new Map(groups.flatMap((group) => group.podSets.map((podSet) => [podSet, group] as const)));
  const filled = new Set<WantingGroup>();
  return podSets.flatMap((podSet) => {
    const group = groupOf.get(podSet);
    if (group === undefined) return [podSet];
    const isNext = !filled.has(group);
    filled.add(group);
    return isNext ? group.podSets : [];
  });
};

/** The groups of one round, some of them torn. */
interface TornRound {
  readonly left: readonly WantingGroup[];
  readonly torn: readonly WantingGroup[];
  readonly round: number;
  readonly isLate: boolean;
}

/**
 * The groups to drop. Those that no other pods keep out go first and together. The first round drops no
 * others: it fills groups one after the other. Later rounds drop one group each, lowest priority first. The last round
 * drops all groups that lack places. Once the time is up, all torn groups are dropped.
 */
const nextToDrop = (
  { left, torn, round, isLate }: TornRound,
  unplaced: readonly UnplacedPods[],
  places: Places,
): readonly WantingGroup[] => {
  if (isLate) return torn;
  const lacking = left.filter((group) => lacksPlaces(group, unplaced));
  if (round >= LAST_ROUND) return lacking;
  const hopeless = lacking.filter((group) => isHopeless(group, unplaced, places));
  return hopeless.length > 0 || round === 0 ? hopeless : leastOf(torn);
};

const without = (question: Question, groups: readonly WantingGroup[]): Question => {
  const gone = new Set(groups.flatMap(({ podSets }) => podSets));
  return { ...question, podSets: question.podSets.filter((podSet) => !gone.has(podSet)) };
};

/**
 * Places the pods of the question that had a place in the round before, even if the time is up by now. The others are
 * left over, as they were then.
 */
function* keepingPlaces(places: Places, question: Question, before: readonly UnplacedPods[]): Steps<Solution> {
  const countOf = new Map(before.map(({ podSet, count }) => [podSet, count]));
  const podSets = question.podSets
    .map((podSet) => ({ ...podSet, pods: podSet.pods.slice(0, podSet.pods.length - (countOf.get(podSet) ?? 0)) }))
    .filter(({ pods }) => pods.length > 0);
  const solution = yield* solvingAfresh(places, { ...question, podSets, shouldStop: () => false });
  const left = before.filter(({ podSet }) => question.podSets.includes(podSet));
  return { ...solution, unplaced: [...solution.unplaced, ...left], order: question.podSets };
}

const droppedFrom = (group: WantingGroup, { unplaced, ledgers }: Solution): DroppedGroup => {
  const [first] = unplacedOf(group, unplaced);
  return { group, placed: group.staying + placedOf(group, unplaced), ...(first && { lacking: { unplaced: first, ledgers } }) };
};

/**
 * The solution of `solvingByPriority` with pod groups whole. Where some are torn, groups are filled one after the
 * other; those with too few placed pods then are dropped, and their places go to other pods. A group with fewer pods
 * than its minimum is not tried at all. Variants of the question keep groups whole by `tearsGroup`.
 */
export function* solvingWhole(places: Places, asked: Question, groups: readonly WantingGroup[]): Steps<WholeSolution> {
  if (groups.length === 0) return { solution: yield* solvingByPriority(places, asked), question: asked, dropped: [] };
  const tooFew = groups.filter((group) => group.staying + podCountOf(group.podSets) < group.minMember);
  const dropped: DroppedGroup[] = tooFew.map((group) => ({ group, placed: group.staying + podCountOf(group.podSets) }));
  let left = groups.filter((group) => !tooFew.includes(group));
  let question = without(asked, tooFew);
  let before: readonly UnplacedPods[] = [];
  for (let round = 0; ; round++) {
    const current = left;
    question = { ...question, tearsGroup: (pods) => current.some((group) => isTorn(group, pods)) };
    let solution = yield* solvingByPriority(places, question);
    if (round > 0 && wasStopped(solution)) solution = yield* keepingPlaces(places, question, before);
    const unplaced = mergedUnplaced(solution.unplaced, question.podSets);
    before = unplaced;
    const torn = left.filter((group) => isTorn(group, unplaced));
    if (torn.length === 0) return { solution: round === 0 ? solution : { ...solution, isOutOfOrder: true }, question, dropped };
    const going = nextToDrop({ left, torn, round, isLate: question.shouldStop() }, unplaced, places);
    for (const group of going) dropped.push(droppedFrom(group, { ...solution, unplaced }));
    left = left.filter((group) => !going.includes(group));
    const rest = without(question, going);
    question = { ...rest, podSets: groupByGroup(rest.podSets, left) };
  }
}
