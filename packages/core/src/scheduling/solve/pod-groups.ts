import type { Steps } from '../../base/index.ts';
import { podGroupOf } from '../../cluster/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { priorityOf } from '../classes/demand.ts';
import type { Demand } from '../classes/demand.ts';
import { mergedLeftovers } from './leftovers.ts';
import { solvingByPriority } from './solve-by-priority.ts';
import type { Leftover, Places, Question, Solution } from './solve.ts';

/** A pod group with pods that want a place. */
export interface WantingGroup {
  readonly name: string;
  readonly minMember: number;
  readonly demands: readonly Demand[];
  /** How many of its pods stay where they are. */
  readonly staying: number;
}

/** A pod group that gets no place in this plan, since not enough of its pods would. */
export interface DroppedGroup {
  readonly group: WantingGroup;
  /** How many of its pods would have had a place, those that stay included. */
  readonly placed: number;
  /** The pods that lacked one, and what the limits still allowed then; absent where the group has too few pods. */
  readonly lacking?: { readonly leftover: Leftover; readonly ledgers: Solution['ledgers'] };
}

/** A solution in which each pod group has its places or none. */
export interface WholeSolution {
  readonly solution: Solution;
  /** Without the pods of dropped groups. */
  readonly question: Question;
  readonly dropped: readonly DroppedGroup[];
}

/** So many groups are dropped one by one, each at the cost of a whole solve; then all that lack places at once. */
const MOST_SINGLE_DROPS = 8;

const podsIn = (demands: readonly Demand[]): number => demands.reduce((total, { pods }) => total + pods.length, 0);

/** Group → how many of its pods run or are expected on nodes and do not move. */
const stayingByGroup = (nodes: readonly NodeView[], demands: readonly Demand[]): ReadonlyMap<string, number> => {
  const moving = new Set(demands.flatMap(({ pods }) => pods));
  const counts = new Map<string, number>();
  for (const { pods } of nodes) {
    for (const pod of pods) {
      const name = moving.has(pod) ? undefined : podGroupOf(pod)?.name;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
};

/** The pod groups among the demands, in their order. Where pods of one group disagree on its size, the largest counts. */
export const groupsIn = (demands: readonly Demand[], nodes: readonly NodeView[]): readonly WantingGroup[] => {
  const found = new Map<string, { readonly demands: Demand[]; minMember: number }>();
  for (const demand of demands) {
    const sizes = demand.isBuffer === true ? [] : demand.pods.flatMap((pod) => podGroupOf(pod) ?? []);
    const [first] = sizes;
    if (first === undefined) continue;
    const group = found.get(first.name) ?? { demands: [], minMember: 0 };
    group.demands.push(demand);
    for (const { minMember } of sizes) group.minMember = Math.max(group.minMember, minMember);
    found.set(first.name, group);
  }
  if (found.size === 0) return [];
  const staying = stayingByGroup(nodes, demands);
  return [...found].map(([name, group]) => ({ name, ...group, staying: staying.get(name) ?? 0 }));
};

const leftoversOf = (group: WantingGroup, leftovers: readonly Leftover[]): readonly Leftover[] => {
  const classes = new Set(group.demands.map(({ podClass }) => podClass));
  return leftovers.filter(({ demand }) => classes.has(demand.podClass));
};

const placedOf = (group: WantingGroup, leftovers: readonly Leftover[]): number =>
  podsIn(group.demands) - leftoversOf(group, leftovers).reduce((total, { count }) => total + count, 0);

/** Whether some of the group have a place, and too few. */
const isTorn = (group: WantingGroup, leftovers: readonly Leftover[]): boolean => {
  const placed = placedOf(group, leftovers);
  return placed > 0 && group.staying + placed < group.minMember;
};

const highestPriority = ({ demands }: WantingGroup): number =>
  Math.max(...demands.flatMap(({ pods }) => pods.map(priorityOf)), Number.NEGATIVE_INFINITY);

/** The one to drop first: of the lowest priority, then the last. */
const leastOf = (groups: readonly WantingGroup[]): readonly WantingGroup[] =>
  groups
    .toReversed()
    .toSorted((a, b) => highestPriority(a) - highestPriority(b))
    .slice(0, 1);

const without = (question: Question, groups: readonly WantingGroup[]): Question => {
  const gone = new Set(groups.flatMap(({ demands }) => demands));
  return { ...question, demands: question.demands.filter((demand) => !gone.has(demand)) };
};

const droppedFrom = (group: WantingGroup, { leftovers, ledgers }: Solution): DroppedGroup => {
  const [leftover] = leftoversOf(group, leftovers);
  return { group, placed: group.staying + placedOf(group, leftovers), ...(leftover && { lacking: { leftover, ledgers } }) };
};

/**
 * The solution of `solvingByPriority` with pod groups whole. A group with too few placed pods is dropped, and its places go to other pods. A
 * group with fewer pods than its minimum is not tried at all. Variants of the question keep groups whole by `tearsGroup`.
 */
export function* solvingWhole(places: Places, asked: Question, groups: readonly WantingGroup[]): Steps<WholeSolution> {
  if (groups.length === 0) return { solution: yield* solvingByPriority(places, asked), question: asked, dropped: [] };
  const tooFew = groups.filter((group) => group.staying + podsIn(group.demands) < group.minMember);
  const dropped: DroppedGroup[] = tooFew.map((group) => ({ group, placed: group.staying + podsIn(group.demands) }));
  let left = groups.filter((group) => !tooFew.includes(group));
  let question = without(asked, tooFew);
  for (let drops = 0; ; drops++) {
    const current = left;
    question = { ...question, tearsGroup: (leftovers) => current.some((group) => isTorn(group, leftovers)) };
    const solution = yield* solvingByPriority(places, question);
    const leftovers = mergedLeftovers(solution.leftovers, question.demands);
    const torn = left.filter((group) => isTorn(group, leftovers));
    if (torn.length === 0) return { solution, question, dropped };
    const going = drops < MOST_SINGLE_DROPS ? leastOf(torn) : torn;
    dropped.push(...going.map((group) => droppedFrom(group, { ...solution, leftovers })));
    left = left.filter((group) => !going.includes(group));
    question = without(question, going);
  }
}
