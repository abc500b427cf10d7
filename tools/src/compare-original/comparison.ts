import { simulate } from '@karpenter/core';
import type { Plan } from '@karpenter/core';
import { validatePlan } from '@karpenter/testkit';
import type { Violation } from '@karpenter/testkit';
import { answeredPlan } from './answered-plan.ts';
import type { Question } from './question.ts';

/** What one of the two decided. */
export interface Side {
  readonly placedPods: number;
  readonly plannedNodes: number;
  readonly pricePerHour: number;
  readonly violations: readonly Violation[];
}

/**
 * How our plan stands beside the original's. `unsound`: ours breaks a rule. `original-unsound`: only the original's does, so it proves nothing.
 * Price is compared only where both place as many pods.
 */
export type Verdict = 'unsound' | 'original-unsound' | 'fewer' | 'more' | 'dearer' | 'cheaper' | 'equal';

export interface Comparison {
  readonly id: string;
  readonly pods: number;
  readonly ours: Side;
  readonly original: Side;
  readonly verdict: Verdict;
}

const sideOf = ({ snapshot, policy }: Question, plan: Plan): Side => ({
  placedPods: [...plan.plannedNodes.map(({ pods }) => pods), ...plan.placements.values()].reduce((sum, pods) => sum + pods.length, 0),
  plannedNodes: plan.plannedNodes.length,
  pricePerHour: plan.pricePerHour,
  violations: validatePlan(snapshot, policy, plan),
});

/** Prices that differ by less are sums of the same numbers in another order. */
const PRICE_TOLERANCE = 1e-9;

const verdictOf = (ours: Side, original: Side): Verdict => {
  if (ours.violations.length > 0) return 'unsound';
  if (original.violations.length > 0) return 'original-unsound';
  if (ours.placedPods !== original.placedPods) return ours.placedPods < original.placedPods ? 'fewer' : 'more';
  const more = ours.pricePerHour - original.pricePerHour;
  if (Math.abs(more) <= PRICE_TOLERANCE) return 'equal';
  return more > 0 ? 'dearer' : 'cheaper';
};

/** Plans for the question and judges both plans by the independent validator. */
export const compareWithOriginal = (question: Question): Comparison => {
  const ours = sideOf(question, simulate(question.snapshot, question.policy));
  const original = sideOf(question, answeredPlan(question));
  return { id: question.id, pods: question.snapshot.pendingPods.length, ours, original, verdict: verdictOf(ours, original) };
};
