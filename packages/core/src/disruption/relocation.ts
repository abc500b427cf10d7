import type { Steps } from '../base/index.ts';
import type { Plan, PlannedNode, Rejection, SchedulingPolicy } from '../scheduling/index.ts';
import type { Blocker } from './blocker.ts';
import type { Candidate } from './candidate.ts';
import type { Inquiry, Pass } from './pass.ts';
import { nameOf } from './pod-blocker.ts';

/** Where the pods of some nodes would go if those were gone. */
export interface Relocation {
  /** New machines that some of them need. */
  readonly replacements: readonly PlannedNode[];
  /** What the whole plan costs more than the plan without giving anything up: pods that were pending may be pushed elsewhere. */
  readonly extraPricePerHour: number;
}

/** How the pods are to be placed. */
export interface RelocationManner {
  /** Whether nodes that wait for their own pods to settle take no others. */
  readonly heedsSettling: boolean;
  /** Default `first-fit`. */
  readonly packing?: SchedulingPolicy['packing'];
}

function* lookingForUnplaced(pass: Pass, rejections: readonly Rejection[]): Steps<Blocker | undefined> {
  if (rejections.some(({ reason }) => reason.kind === 'stopped')) return { kind: 'stopped' };
  if (rejections.length === 0) return undefined;
  const hopeless = yield* pass.hopeless();
  const pods = rejections.filter(({ pod }) => !hopeless.has(pod)).map(({ pod }) => nameOf(pod.metadata));
  return pods.length === 0 ? undefined : { kind: 'unschedulable-pods', pods: pods.sort() };
}

/** What one question came to: the plan, and the nodes on which it puts pods of the candidates. */
interface Outcome {
  readonly plan: Plan;
  readonly targets: readonly string[];
}

function* asking(pass: Pass, candidates: readonly Candidate[], inquiry: Inquiry): Steps<Outcome | Blocker> {
  const plan = yield* pass.asking(new Set(candidates.map(({ node }) => node.name)), inquiry);
  const blocker = yield* lookingForUnplaced(pass, plan.rejections);
  if (blocker !== undefined) return blocker;
  const moved = new Set(candidates.flatMap((each) => each.reschedulablePods));
  const targets = [...plan.placements].filter(([, pods]) => pods.some((pod) => moved.has(pod))).map(([name]) => name);
  const comingUp = targets.find(pass.isComingUp);
  return comingUp === undefined ? { plan, targets } : { kind: 'uninitialized-target', nodeName: comingUp };
}

/**
 * The first answer that puts none of these pods on a node that is settling. Nearly always that is the first one, so only then are those
 * nodes closed and the question asked again; pods that are pending find them closed too, which overstates what the move costs.
 */
function* askingBesideSettling(pass: Pass, candidates: readonly Candidate[], inquiry: Inquiry): Steps<Outcome | Blocker> {
  const first = yield* asking(pass, candidates, inquiry);
  const nodeName = 'kind' in first ? undefined : first.targets.find((name) => pass.settling.has(name));
  if (nodeName === undefined) return first;
  const second = yield* asking(pass, candidates, { ...inquiry, closed: pass.settling });
  return 'kind' in second && second.kind !== 'stopped' ? { kind: 'settling-target', nodeName } : second;
}

/**
 * Asks where the pods of the candidates would go; a blocker when some of them, or others that had a place, would go without.
 * Differs: pods that find no place anyway, and machines that are planned for pending pods only, do not stand in the way.
 */
export function* relocating(
  pass: Pass,
  candidates: readonly Candidate[],
  { heedsSettling, packing = 'first-fit' }: RelocationManner,
): Steps<Relocation | Blocker> {
  const outcome = yield* (heedsSettling ? askingBesideSettling : asking)(pass, candidates, { packing });
  if ('kind' in outcome) return outcome;
  const { plan } = outcome;
  const moved = new Set(candidates.flatMap((each) => each.reschedulablePods));
  yield;
  return {
    replacements: plan.plannedNodes.filter(({ pods }) => pods.some((pod) => moved.has(pod))),
    extraPricePerHour: plan.pricePerHour - (yield* pass.baseline(packing)).pricePerHour,
  };
}
