import type { Steps } from '../base/index.ts';
import type { PlannedNode, Rejection } from '../scheduling/index.ts';
import type { Blocker } from './blocker.ts';
import type { Candidate } from './candidate.ts';
import type { Pass } from './pass.ts';
import { nameOf } from './pod-blocker.ts';

/** Where the pods of some nodes would go if those were gone. */
export interface Relocation {
  /** New machines that some of them need. */
  readonly replacements: readonly PlannedNode[];
  /** What the whole plan costs more than the plan without giving anything up: pods that were pending may be pushed elsewhere. */
  readonly extraPricePerHour: number;
}

function* lookingForUnplaced(pass: Pass, rejections: readonly Rejection[]): Steps<Blocker | undefined> {
  if (rejections.some(({ reason }) => reason.kind === 'stopped')) return { kind: 'stopped' };
  if (rejections.length === 0) return undefined;
  const hopeless = yield* pass.hopeless();
  const pods = rejections.filter(({ pod }) => !hopeless.has(pod)).map(({ pod }) => nameOf(pod.metadata));
  return pods.length === 0 ? undefined : { kind: 'unschedulable-pods', pods: pods.sort() };
}

/**
 * Asks where the pods of the candidates would go; a blocker when some of them, or others that had a place, would go without.
 * Differs: pods that find no place anyway, and machines that are planned for pending pods only, do not stand in the way.
 */
export function* relocating(pass: Pass, candidates: readonly Candidate[]): Steps<Relocation | Blocker> {
  const plan = yield* pass.asking(new Set(candidates.map(({ node }) => node.name)));
  const blocker = yield* lookingForUnplaced(pass, plan.rejections);
  if (blocker !== undefined) return blocker;
  const moved = new Set(candidates.flatMap((each) => each.reschedulablePods));
  const target = [...plan.placements].find(([name, pods]) => pass.isComingUp(name) && pods.some((pod) => moved.has(pod)));
  if (target !== undefined) return { kind: 'uninitialized-target', nodeName: target[0] };
  yield;
  return {
    replacements: plan.plannedNodes.filter(({ pods }) => pods.some((pod) => moved.has(pod))),
    extraPricePerHour: plan.pricePerHour - (yield* pass.baseline()).pricePerHour,
  };
}
