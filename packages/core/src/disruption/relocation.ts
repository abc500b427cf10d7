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

const unplaced = (pass: Pass, rejections: readonly Rejection[]): Blocker | undefined => {
  if (rejections.some(({ reason }) => reason.kind === 'stopped')) return { kind: 'stopped' };
  const pods = rejections.map(({ pod }) => nameOf(pod.metadata)).filter((name) => !pass.hopeless().has(name));
  return pods.length === 0 ? undefined : { kind: 'unschedulable-pods', pods: pods.sort() };
};

/**
 * Asks where the pods of the candidates would go; a blocker when some of them, or others that had a place, would go without.
 * Differs: pods that find no place anyway, and machines that are planned for pending pods only, do not stand in the way.
 */
export const relocate = (pass: Pass, candidates: readonly Candidate[]): Relocation | Blocker => {
  const plan = pass.ask(new Set(candidates.map(({ node }) => node.name)));
  const blocker = unplaced(pass, plan.rejections);
  if (blocker !== undefined) return blocker;
  const moved = new Set(candidates.flatMap((each) => each.reschedulablePods.map(({ metadata }) => nameOf(metadata))));
  const target = [...plan.placements].find(
    ([name, pods]) => pass.isComingUp(name) && pods.some(({ metadata }) => moved.has(nameOf(metadata))),
  );
  if (target !== undefined) return { kind: 'uninitialized-target', nodeName: target[0] };
  return {
    replacements: plan.plannedNodes.filter(({ pods }) => pods.some(({ metadata }) => moved.has(nameOf(metadata)))),
    extraPricePerHour: plan.pricePerHour - pass.baseline().pricePerHour,
  };
};
