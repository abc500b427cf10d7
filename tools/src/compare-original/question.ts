import type { ClusterSnapshot, Pod, RequirementSpec, SchedulingPolicy } from '@karpenter/core';
import { namespacedNameOf } from '@karpenter/core/internal';

/** `namespace/name`. */
export const qualifiedPodName = ({ metadata }: Pod): string => namespacedNameOf(metadata);

/** One scheduling decision, and what the original Karpenter decided. */
export interface OriginalQuestion {
  readonly id: string;
  readonly snapshot: ClusterSnapshot;
  readonly policy: SchedulingPolicy;
  readonly answer: Answer;
}

/** Pods are named `namespace/name`; those that are not named found no place. */
export interface Answer {
  readonly nodes: readonly AnsweredNode[];
  /** Node name → pods. */
  readonly existing: ReadonlyMap<string, readonly string[]>;
}

/** A node that the original would launch. */
export interface AnsweredNode {
  readonly nodePoolName: string;
  readonly instanceTypeNames: readonly string[];
  readonly requirements: readonly RequirementSpec[];
  readonly pods: readonly string[];
}
