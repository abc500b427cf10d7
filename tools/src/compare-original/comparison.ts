import { simulate } from '@karpenter/core';
import type { Plan } from '@karpenter/core';
import { unmetPreferences, validatePlan } from '@karpenter/testkit';
import type { Violation } from '@karpenter/testkit';
import { answeredPlan } from './answered-plan.ts';
import { placedPodsOf, qualifiedPodName, soundPart } from './sound-part.ts';
import type { OriginalQuestion } from './question.ts';

/** What one of the two decided. */
export interface Side {
  readonly placedPods: number;
  readonly plannedNodes: number;
  readonly pricePerHour: number;
  readonly violations: readonly Violation[];
}

/**
 * How our plan stands beside the original's. `unsound`: ours breaks a rule. `original-unsound`: the original's does,
 * and ours places no fewer pods than what is sound of it. Price is compared only where both plans are sound and place
 * as many pods. `keeps-more`: ours is dearer and leaves preferences of less weight unmet.
 */
export type PlanVerdict = 'unsound' | 'original-unsound' | 'fewer' | 'more' | 'dearer' | 'keeps-more' | 'cheaper' | 'equal';

export interface Comparison {
  readonly id: string;
  readonly pods: number;
  readonly ours: Side;
  readonly original: Side;
  readonly verdict: PlanVerdict;
  /** Pods that only one of the two has a place for, by name. */
  readonly placedByOne: { readonly ours: readonly string[]; readonly original: readonly string[] };
  /** The weights of the preferences that pods do not get, added up. Only where ours is dearer. */
  readonly unmet?: { readonly ours: number; readonly original: number };
}

const sideOf = ({ snapshot, policy }: OriginalQuestion, plan: Plan): Side => ({
  placedPods: placedPodsOf(plan).length,
  plannedNodes: plan.plannedNodes.length,
  pricePerHour: plan.pricePerHour,
  violations: validatePlan(snapshot, policy, plan),
});

/** What is sound of the original's plan, judged as a plan. Its violations are those of the whole plan. */
const originalSideOf = (question: OriginalQuestion): Side => {
  const whole = answeredPlan(question);
  const { violations } = sideOf(question, whole);
  return violations.length === 0 ? sideOf(question, whole) : { ...sideOf(question, soundPart(question, whole)), violations };
};

/** The pods with a place in the first plan and without one in the second, by name. */
const placedOnlyBy = (plan: Plan, other: Plan): readonly string[] => {
  const placed = new Set(placedPodsOf(other).map(qualifiedPodName));
  return placedPodsOf(plan)
    .map(qualifiedPodName)
    .filter((name) => !placed.has(name))
    .sort();
};

/** Prices that differ by less are sums of the same numbers in another order. */
const PRICE_TOLERANCE = 1e-9;

const verdictOf = (ours: Side, original: Side): PlanVerdict => {
  if (ours.violations.length > 0) return 'unsound';
  if (ours.placedPods < original.placedPods) return 'fewer';
  if (original.violations.length > 0) return 'original-unsound';
  if (ours.placedPods > original.placedPods) return 'more';
  const more = ours.pricePerHour - original.pricePerHour;
  if (Math.abs(more) <= PRICE_TOLERANCE) return 'equal';
  return more > 0 ? 'dearer' : 'cheaper';
};

/** Plans for the question and judges both plans by the independent validator. */
export const compareWithOriginal = (question: OriginalQuestion): Comparison => {
  const { id, snapshot, policy } = question;
  const plan = simulate(snapshot, policy);
  const ours = sideOf(question, plan);
  const original = originalSideOf(question);
  const verdict = verdictOf(ours, original);
  const answered = answeredPlan(question);
  const placedByOne = { ours: placedOnlyBy(plan, answered), original: placedOnlyBy(answered, plan) };
  const comparison = { id, pods: snapshot.pendingPods.length, ours, original, verdict, placedByOne };
  if (verdict !== 'dearer' || policy.preferences === 'Ignore') return comparison;
  const unmet = { ours: unmetPreferences(snapshot, plan), original: unmetPreferences(snapshot, answered) };
  return { ...comparison, unmet, verdict: unmet.ours < unmet.original ? 'keeps-more' : 'dearer' };
};
