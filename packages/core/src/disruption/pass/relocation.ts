import { namespacedNameOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Steps } from '../../base/index.ts';
import { withoutVirtualPods } from '../../scheduling/index.ts';
import type { Plan, PlannedNode, Rejection, SchedulingPolicy } from '../../scheduling/index.ts';
import type { Blocker, UnplacedBlocker } from '../blockers/blocker.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { QuestionOptions, Pass } from './pass.ts';
import { plannedPrice } from '../candidates/candidate.ts';
import { keepingMinimum } from './minimum-ledger.ts';

/** What it takes to place the pods of some nodes elsewhere. */
export interface Relocation {
  /** New machines that some of them need, or virtual pods that would lose their place, or the minimum of a pool. */
  readonly replacements: readonly PlannedNode[];
  /**
   * How much more the whole plan costs than the baseline. Can exceed the price of the replacements: pending pods may be
   * pushed elsewhere.
   */
  readonly extraPricePerHour: number;
  /** Names of the nodes on which it puts some of the pods. */
  readonly targets: readonly string[];
  /** The minimum that asks for some of the replacements; undefined when none does. */
  readonly minimum: Blocker | undefined;
}

export interface RelocationOptions {
  /** Whether pods must not move to nodes that are settling, nor take the places of pods of other commands. */
  readonly avoidsSettling: boolean;
  /** Default `first-fit`. */
  readonly packing?: SchedulingPolicy['packing'];
  /** See `WhatIfOptions`. */
  readonly isPackedOnly?: boolean;
}

const isCostly = ({ reason: { kind } }: Rejection): boolean => kind === 'postponed' || kind === 'too-complex';

/** Why a node stays whose pods are rejected; undefined: none is. */
export const unplacedBlocker = (rejections: readonly Rejection[]): UnplacedBlocker | undefined => {
  if (rejections.length === 0) return undefined;
  const costly = rejections.filter(isCostly);
  const pods = (costly.length > 0 ? costly : rejections).map(({ pod }) => namespacedNameOf(pod.metadata)).sort();
  return { kind: costly.length > 0 ? 'costly-pods' : 'unschedulable-pods', pods };
};

function* findingUnplaced(pass: Pass, rejections: readonly Rejection[]): Steps<Blocker | undefined> {
  if (rejections.some(({ reason }) => reason.kind === 'stopped')) return { kind: 'stopped' };
  if (rejections.length === 0) return undefined;
  const mayStayUnplaced = yield* pass.mayStayUnplaced();
  return unplacedBlocker(rejections.filter(({ pod }) => !mayStayUnplaced.has(pod)));
}

/** The plan without the candidates, and the nodes on which it puts their pods. */
interface Outcome {
  readonly plan: Plan;
  readonly targets: readonly string[];
}

function* asking(pass: Pass, candidates: readonly Candidate[], options: QuestionOptions): Steps<Outcome | Blocker> {
  const plan = yield* pass.asking(new Set(candidates.map(({ node }) => node.name)), options);
  const blocker = yield* findingUnplaced(pass, plan.rejections);
  if (blocker !== undefined) return blocker;
  const moved = new Set(candidates.flatMap((each) => each.reschedulablePods));
  const targets = [...plan.placements].filter(([, pods]) => pods.some((pod) => moved.has(pod))).map(([name]) => name);
  const comingUp = targets.find(pass.isComingUp);
  return comingUp === undefined ? { plan, targets } : { kind: 'uninitialized-target', nodeName: comingUp };
}

/**
 * Pods of nodes on their way out that would need a new machine because the candidates' pods take their places. Their
 * nodes are drained before it stands. Those that have their place on a candidate move like its own pods.
 */
function* findingDisplaced(pass: Pass, candidates: readonly Candidate[], { plannedNodes }: Plan): Steps<Blocker | undefined> {
  if (plannedNodes.length === 0) return undefined;
  const promised = yield* pass.promised();
  const gone = new Set(candidates.map(({ node }) => node.name));
  const isDisplaced = (pod: Pod): boolean => {
    const place = promised.get(pod);
    return place !== undefined && !gone.has(place);
  };
  const displaced = plannedNodes.flatMap(({ pods }) => pods.filter(isDisplaced));
  const pods = displaced.map(({ metadata }) => namespacedNameOf(metadata)).sort();
  return pods.length === 0 ? undefined : { kind: 'unschedulable-pods', pods };
}

/**
 * An answer that takes no place from pods of nodes on their way out, and puts none of the pods on a settling node.
 * Nearly always the plain answer does not either, so only if it does is the question put again with those nodes closed.
 * They are then closed for pending pods too, which overstates the cost of the move.
 */
function* relocatingOffSettlingNodes(pass: Pass, candidates: readonly Candidate[], options: QuestionOptions): Steps<Outcome | Blocker> {
  const first = yield* asking(pass, candidates, options);
  if ('kind' in first) return first;
  const displaced = yield* findingDisplaced(pass, candidates, first.plan);
  if (displaced !== undefined) return displaced;
  const nodeName = first.targets.find((name) => pass.settling.has(name));
  if (nodeName === undefined) return first;
  const second = yield* asking(pass, candidates, { ...options, closed: pass.settling });
  return 'kind' in second && second.kind !== 'stopped' ? { kind: 'settling-target', nodeName } : second;
}

/**
 * Asks where the pods of the candidates would go; a blocker when some of them, or other pods that had a place, would lose it.
 * Differs: pods that find no place anyway, and machines that are planned for pending pods only, do not stand in the way.
 */
export function* relocating(
  pass: Pass,
  candidates: readonly Candidate[],
  { avoidsSettling, packing = 'first-fit', ...search }: RelocationOptions,
): Steps<Relocation | Blocker> {
  const outcome = yield* (avoidsSettling ? relocatingOffSettlingNodes : asking)(pass, candidates, { packing, ...search });
  if ('kind' in outcome) return outcome;
  const { plan, targets } = outcome;
  const { settled, all } = yield* pass.bufferPlaces();
  const moved = new Set([...candidates.flatMap((each) => each.reschedulablePods), ...settled]);
  yield;
  const planned = plan.plannedNodes.filter(({ pods }) => pods.some((pod) => moved.has(pod))).map((node) => withoutVirtualPods(node, all));
  const kept = yield* keepingMinimum(pass.context, { candidates, planned });
  if ('kind' in kept) return kept;
  const baseline = yield* pass.baseline(packing);
  const { policy } = pass.context;
  return {
    targets,
    replacements: [...planned, ...kept.nodes],
    extraPricePerHour: plannedPrice([...plan.plannedNodes, ...kept.nodes], policy) - plannedPrice(baseline.plannedNodes, policy),
    minimum: kept.asked,
  };
}
