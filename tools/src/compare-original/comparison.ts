import { simulate } from '@karpenter/core';
import type { Plan } from '@karpenter/core';
import { unmetPreferences, validatePlan } from '@karpenter/testkit';
import type { Violation } from '@karpenter/testkit';
import { answeredPlan } from './answered-plan.ts';
import { placedPodsOf, soundPart } from './sound-part.ts';
import { type OriginalQuestion, qualifiedPodName } from './question.ts';

/** What one of the two decided. */
export interface Side {
  readonly placedPods: number;
  readonly plannedNodes: number;
  readonly pricePerHour: number;
  readonly violations: readonly Violation[];
}

/** The original's side of a comparison: what is sound of its plan, with the violations of the whole plan. */
interface OriginalSide extends Side {
  /** Nothing could be taken out of the plan to make it sound, so that none of it counts. */
  readonly isDiscarded: boolean;
}

/**
 * How our plan stands beside the original's. `unsound`: ours breaks a rule. `original-unsound`: the original's does,
 * and ours places no fewer pods than what is sound of it. Price is compared only where both plans are sound and place
 * as many pods. `keeps-more`: ours is dearer and leaves preferences of less weight unmet, and without preferences it
 * would not be dearer. `original-discarded`: the original's plan breaks a rule as a whole, so that none of it counts.
 */
export type PlanVerdict =
  'unsound' | 'original-unsound' | 'original-discarded' | 'fewer' | 'more' | 'dearer' | 'keeps-more' | 'cheaper' | 'equal';

export interface Comparison {
  readonly id: string;
  readonly pods: number;
  readonly ours: Side;
  readonly original: OriginalSide;
  readonly verdict: PlanVerdict;
  /** Pods that only one of the two has a place for, by name. */
  readonly placedByOne: { readonly ours: readonly string[]; readonly original: readonly string[] };
  /** The weights of the preferences that pods do not get, added up. Only where ours is dearer. */
  readonly unmet?: { readonly ours: number; readonly original: number };
  /** Our plan when preferences are ignored. Only where ours is dearer and leaves less unmet. */
  readonly withoutPreferences?: Side;
}

const sideOf = ({ snapshot, policy }: OriginalQuestion, plan: Plan): Side => ({
  placedPods: placedPodsOf(plan).length,
  plannedNodes: plan.plannedNodes.length,
  pricePerHour: plan.pricePerHour,
  violations: validatePlan(snapshot, policy, plan),
});

const originalSideOf = (question: OriginalQuestion): OriginalSide => {
  const plan = answeredPlan(question);
  const whole = sideOf(question, plan);
  if (whole.violations.length === 0) return { ...whole, isDiscarded: false };
  const sound = soundPart(question, plan);
  const side = sound === undefined ? { ...whole, placedPods: 0, plannedNodes: 0, pricePerHour: 0 } : sideOf(question, sound);
  return { ...side, violations: whole.violations, isDiscarded: sound === undefined };
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

/** The verdict without a check of preferences. */
const verdictOf = (ours: Side, original: OriginalSide): PlanVerdict => {
  if (ours.violations.length > 0) return 'unsound';
  if (original.isDiscarded) return 'original-discarded';
  if (ours.placedPods < original.placedPods) return 'fewer';
  if (original.violations.length > 0) return 'original-unsound';
  if (ours.placedPods > original.placedPods) return 'more';
  const more = ours.pricePerHour - original.pricePerHour;
  if (Math.abs(more) <= PRICE_TOLERANCE) return 'equal';
  return more > 0 ? 'dearer' : 'cheaper';
};

/** Whether the price of the preferences explains why ours is dearer. */
const costsPreferencesOnly = (withoutPreferences: Side, original: Side): boolean =>
  withoutPreferences.violations.length === 0 &&
  withoutPreferences.placedPods >= original.placedPods &&
  withoutPreferences.pricePerHour <= original.pricePerHour + PRICE_TOLERANCE;

/** Plans for the question and judges both plans by the independent validator. */
export const compareWithOriginal = (question: OriginalQuestion): Comparison => {
  const { id, snapshot, policy } = question;
  const plan = simulate(snapshot, policy);
  const ours = sideOf(question, plan);
  const original = originalSideOf(question);
  const answered = answeredPlan(question);
  const placedByOne = { ours: placedOnlyBy(plan, answered), original: placedOnlyBy(answered, plan) };
  const comparison = { id, pods: snapshot.pendingPods.length, ours, original, verdict: verdictOf(ours, original), placedByOne };
  if (comparison.verdict !== 'dearer' || policy.preferences === 'Ignore') return comparison;
  const unmet = { ours: unmetPreferences(snapshot, plan), original: unmetPreferences(snapshot, answered) };
  if (unmet.ours >= unmet.original) return { ...comparison, unmet };
  const ignoring = { ...policy, preferences: 'Ignore' } as const;
  const withoutPreferences = sideOf({ ...question, policy: ignoring }, simulate(snapshot, ignoring));
  const verdict = costsPreferencesOnly(withoutPreferences, original) ? 'keeps-more' : 'dearer';
  return { ...comparison, unmet, withoutPreferences, verdict };
};
