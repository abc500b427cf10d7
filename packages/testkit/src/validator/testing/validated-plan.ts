import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import { expect } from '@jest/globals';
import { aSnapshot } from '../../builders/index.ts';
import type { SnapshotOptions } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';

/** The plan for a snapshot. Fails the test if the validator finds a violation. */
export const validatedPlan = (snapshot: ClusterSnapshot, policy: SchedulingPolicy = defaultSchedulingPolicy): Plan => {
  const plan = simulate(snapshot, policy);
  expect(validatePlan(snapshot, policy, plan)).toEqual([]);
  return plan;
};

/** The same for the snapshot of a cluster that a test describes. */
export const validatedPlanOf = (cluster: SnapshotOptions, policy?: SchedulingPolicy): Plan => validatedPlan(aSnapshot(cluster), policy);

/** The zones of the planned nodes, in order of the alphabet. */
export const zonesOfPlan = ({ plannedNodes }: Plan): readonly string[] => plannedNodes.map(({ cheapest }) => cheapest.offering.zone).sort();

/** The pods that a plan places, on new nodes and on existing ones. */
export const podsPlacedBy = ({ plannedNodes, placements }: Plan): readonly Pod[] => [
  ...plannedNodes.flatMap(({ pods }) => pods),
  ...[...placements.values()].flat(),
];
