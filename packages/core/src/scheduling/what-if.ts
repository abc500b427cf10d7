import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { ClusterSnapshot, LeftOut, NodeView } from '../cluster/index.ts';
import type { Pod } from '../kube/index.ts';
import { assembling } from './plan-assembly.ts';
import { gatheringPodSets } from './pod-classes/pod-class.ts';
import type { PodSet } from './pod-classes/pod-class.ts';
import { compilingSnapshot, gatheringMoving } from './compiled-snapshot.ts';
import type { CompiledSnapshot } from './compiled-snapshot.ts';
import { improver } from './packing/repacking.ts';
import { keepingLimits } from './packing/greedy-packing.ts';
import type { Plan } from './planned-node.ts';
import { defaultSchedulingPolicy } from './policy.ts';
import type { SchedulingPolicy } from './policy.ts';
import { closedPools } from './rejection/pod-rejection.ts';
import type { Rejection } from './rejection/rejection.ts';
import { isSearched, searchingPlan } from './solve/plan-search.ts';
import { gatheringGroups, solvingWhole } from './solve/pod-groups.ts';
import { budgetingMoved, joinedOrder } from './work-budget/work-budget.ts';
import type { BudgetedPods, WorkOrder } from './work-budget/work-budget.ts';

/**
 * A snapshot made ready for many questions. Making it costs a walk over the snapshot; a question costs only the pods
 * that move: the pending ones and those of the nodes that count as gone.
 */
export interface WhatIf {
  /** The plan if these nodes were gone as well as those marked for deletion. The same as `simulate` with `policy.without`. */
  readonly ask: (without: ReadonlySet<string>, options?: WhatIfOptions) => Plan;
  /** The same in steps. One question at a time: start the next once this one has returned, or was abandoned with `return`. */
  readonly asking: (without: ReadonlySet<string>, options?: WhatIfOptions) => Steps<Plan>;
}

/** Options of one question. */
export interface WhatIfOptions {
  readonly shouldStop?: () => boolean;
  /** Default: the policy's. */
  readonly packing?: SchedulingPolicy['packing'];
  /** Names of nodes that stay but take no pods in this question. */
  readonly closed?: ReadonlySet<string>;
  /** Whether a plan for the lowest price is what packing makes of it, without a search for a better one. Default false. */
  readonly isPackedOnly?: boolean;
}

const never = (): boolean => false;
const none: ReadonlySet<string> = new Set();

/** What the last plan left before all others, what costs most after them. */
const inOrderOfWork = (podSets: readonly PodSet[], { first, late }: WorkOrder): readonly PodSet[] => {
  if (first.size + late.size === 0) return podSets;
  const inTurn: [PodSet[], PodSet[], PodSet[]] = [[], [], []];
  for (const podSet of podSets) {
    const isLate = podSet.pods.some((pod) => late.has(pod));
    inTurn[isLate ? 2 : podSet.pods.some((pod) => first.has(pod)) ? 0 : 1].push(podSet);
  }
  return inTurn.flat();
};

/** The pod sets in order of their work, those of buffers at the end. */
const inTurns = (all: readonly PodSet[], order: WorkOrder, { virtualPods }: CompiledSnapshot): readonly PodSet[] => {
  if (virtualPods.size === 0) return inOrderOfWork(all, order);
  const isVirtual = ({ pods: [oldest] }: PodSet): boolean => oldest !== undefined && virtualPods.has(oldest);
  const podSets = all.filter((podSet) => !isVirtual(podSet));
  const buffers = all.filter(isVirtual).map((podSet) => ({ ...podSet, isBuffer: true }) as const);
  return [...inOrderOfWork(podSets, order), ...buffers];
};

/** Chooses among the pods of nodes that go, and reads those that cost much, each in a step of its own. */
function* readingMoved(gone: readonly NodeView[], { movingFrom, podReading, classOf, places }: CompiledSnapshot): Steps<BudgetedPods> {
  const topology = places.withTopology?.topology;
  const isUnread = (pod: Pod): boolean => topology?.isOnlyCarrier(pod) === true;
  const all = yield* gatheringMoving(gone, movingFrom);
  const unread = all.filter(isUnread);
  const moved = yield* budgetingMoved(unread.length === 0 ? all : all.filter((pod) => !isUnread(pod)), podReading);
  for (const pod of moved.late) {
    classOf(pod);
    yield;
  }
  if (unread.length === 0) return moved;
  const rejections = unread.map((pod): Rejection => ({ pod, reason: { kind: 'postponed' } }));
  return { ...moved, rejections: [...moved.rejections, ...rejections], postponed: [...moved.postponed, ...unread] };
}

/** The plan with the pods that were not considered, and with what could not be read. */
const withUnconsidered = (planned: Plan, { rejections, postponed }: WorkOrder, leftOut: readonly LeftOut[]): Plan => {
  const plan = leftOut.length === 0 ? planned : { ...planned, leftOut };
  if (rejections.length === 0) return plan;
  return { ...plan, rejections: [...plan.rejections, ...rejections], ...(postponed.length > 0 && { postponed }) };
};

/**
 * Makes a snapshot ready for questions. Ignores the policy's own `without`: each question brings its own. `leaving`: the
 * names of the nodes that questions take away; absent: any.
 */
export function* preparingWhatIf(given: ClusterSnapshot, policy: SchedulingPolicy, leaving?: ReadonlySet<string>): Steps<WhatIf> {
  const compiled = yield* compilingSnapshot(given, policy, leaving);
  const { snapshot, leftOut, places, movingPods, movingFrom, classOf, planNode } = compiled;
  const { existing } = places;
  const topology = places.withTopology?.topology;
  const explainerForPlan = () => places.devices?.explainerForPlan();
  const poolRejections = closedPools({ ...snapshot, leftOut });
  const byName = new Map(snapshot.nodes.map((node) => [node.name, node]));
  let isAsked = false;

  function* asking(
    without: ReadonlySet<string>,
    { shouldStop = never, packing = policy.packing, closed = none, isPackedOnly }: WhatIfOptions = {},
  ): Steps<Plan> {
    if (isAsked) throw new Error('Another question is being asked of this what-if');
    isAsked = true;
    try {
      const gone = [...without].flatMap((name) => byName.get(name) ?? []).filter(({ isMarkedForDeletion }) => !isMarkedForDeletion);
      const moved = yield* readingMoved(gone, compiled);
      const order = joinedOrder(compiled.order, moved);
      const gathered = yield* gatheringPodSets([...snapshot.pendingPods, ...movingPods, ...moved.pods], classOf);
      const podSets = inTurns(gathered, order, compiled);
      const asked = {
        ...{ podSets, gone, closed: [...closed].filter((name) => !without.has(name)), movingFrom, shouldStop },
        hasSizedNodes: packing === 'cheapest',
      };
      const { solution: first, question, dropped } = yield* solvingWhole(places, asked, yield* gatheringGroups(podSets, snapshot));
      const improve = improver(question, topology, isSearched(question));
      const chosen =
        packing === 'cheapest'
          ? yield* searchingPlan(places, question, { first, improve, isPackedOnly })
          : { solution: first, newNodes: first.newNodes };
      const newNodes = keepingLimits(chosen.newNodes, gone);
      yield;
      const answer = {
        ...{ podSets: question.podSets, dropped, newNodes, solution: chosen.solution, closed: poolRejections },
        ...{ domains: topology?.domains, devices: explainerForPlan() },
      };
      const plan = yield* assembling(answer, existing, planNode);
      return withUnconsidered(plan, order, leftOut);
    } finally {
      existing.rollBack();
      topology?.rollBack();
      isAsked = false;
    }
  }

  return { asking, ask: (without, options) => finish(asking(without, options)) };
}

/** The what-if of `preparingWhatIf`, without a pause. */
export const createWhatIf = (snapshot: ClusterSnapshot, policy: SchedulingPolicy): WhatIf => finish(preparingWhatIf(snapshot, policy));

/**
 * What to do about the pods without a place: the pending ones, those of nodes marked for deletion, and those of
 * `policy.without`. Steps take a few milliseconds each, so that the caller can do other things in between.
 *
 * Guarantees: the same content gives the same plan, whatever the order of the snapshot's arrays and wherever the steps
 * are interrupted; the snapshot is not changed; the limits of pools hold even if every planned node is launched at its
 * largest. Once `shouldStop` answers true, the remaining pods are rejected as `stopped`.
 */
export function* planning(snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean): Steps<Plan> {
  const { without = none } = policy;
  const whatIf = yield* preparingWhatIf(snapshot, policy, without);
  return yield* whatIf.asking(without, { shouldStop });
}

/**
 * Plans places for pending pods: on existing nodes, on machines to create, or a rejection with its reason. It is
 * `planning` without a pause: 100,000 pods hold the thread for about a second. Use
 * `snapshotOf` for plain JSON. Unreadable input never throws: it is listed in `leftOut`, or in the rejection of its pod.
 */
export const simulate = (snapshot: ClusterSnapshot, policy: SchedulingPolicy = defaultSchedulingPolicy, shouldStop = never): Plan =>
  finish(planning(snapshot, policy, shouldStop));
