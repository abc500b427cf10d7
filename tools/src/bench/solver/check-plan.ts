import type { ClusterSnapshot, Plan, SchedulingPolicy } from '@karpenter/core';
import { validatePlan } from '@karpenter/testkit';

/** Throws where a plan breaks a rule. */
export const checkSound = (snapshot: ClusterSnapshot, how: SchedulingPolicy, plan: Plan): void => {
  const [violation] = validatePlan(snapshot, how, plan);
  if (violation !== undefined) throw new Error(`Unsound plan: ${violation.rule}: ${violation.subject} ${violation.detail}`);
};

/** Throws where a plan breaks a rule or leaves a pod over. */
export const checkComplete = (snapshot: ClusterSnapshot, how: SchedulingPolicy, plan: Plan): void => {
  checkSound(snapshot, how, plan);
  if (plan.rejections.length > 0) throw new Error(`${plan.rejections.length} pods found no place`);
};
