import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { Pod } from '@karpenter/core';
import { expect } from '@jest/globals';
import { aSnapshot } from '../../builders/index.ts';
import type { SnapshotOptions } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';

export const zone = 'topology.kubernetes.io/zone';

/** Where pods were placed. */
export interface PlacesOfPods {
  /** Node, or zone of a planned one (`any` where it is open) → pods there; those of planned nodes of one zone together. */
  readonly placed: Readonly<Record<string, number>>;
  readonly rejected: number;
}

/** Where the pods of the plan are, which the validator has seen. */
export const placesOf = (cluster: SnapshotOptions, without: readonly string[] = []): PlacesOfPods => {
  const snapshot = aSnapshot(cluster);
  const policy = { ...defaultSchedulingPolicy, without: new Set(without) };
  const plan = simulate(snapshot, policy);
  expect(validatePlan(snapshot, policy, plan)).toEqual([]);
  const placed: Record<string, number> = {};
  const add = (place: string, more: readonly Pod[]): void => {
    placed[place] = (placed[place] ?? 0) + more.length;
  };
  for (const [node, own] of plan.placements) add(node, own);
  for (const { claim, pods: own } of plan.plannedNodes) {
    const [first, ...others] = claim.spec.requirements.filter(({ key }) => key === zone).flatMap(({ values = [] }) => values);
    add(first === undefined || others.length > 0 ? 'any' : first, own);
  }
  return { placed, rejected: plan.rejections.length };
};
