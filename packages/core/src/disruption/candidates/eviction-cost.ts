import { decimalIn, INT32 } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

const deletionCostOf = (pod: Pod): number => decimalIn(pod.metadata.annotations?.[DELETION_COST] ?? '', INT32) ?? 0;

/**
 * How much it matters that a pod is moved: 1 for an ordinary one, from -10 to 10 by its deletion cost and priority.
 * Source: the original's `pkg/utils/disruption/disruption.go`, `EvictionCost`.
 */
export const evictionCost = (pod: Pod): number => {
  const cost = 1 + deletionCostOf(pod) / 2 ** 27 + (pod.spec.priority ?? 0) / 2 ** 25;
  return Math.max(-10, Math.min(10, cost));
};

/** What it costs to disrupt a node with these pods: 1 for the node, and each pod's cost where it is above zero. */
export const disruptionCost = (pods: readonly Pod[]): number => pods.reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), 1);
