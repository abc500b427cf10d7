import type { RepairPolicy } from '../../../cloudprovider/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';

/** A condition by which a node counts as unhealthy, and when it becomes a reason to give the node up. */
export interface UnhealthyCondition {
  readonly policy: RepairPolicy;
  readonly sinceMs: number;
  readonly dueMs: number;
}

/** The unhealthy condition whose toleration ends first; undefined for a healthy node. */
export const unhealthyConditionOf = ({ status }: Node, policies: readonly RepairPolicy[]): UnhealthyCondition | undefined => {
  const found = policies.flatMap((policy): readonly UnhealthyCondition[] => {
    const condition = conditionOf(status?.conditions, policy.conditionType);
    const sinceMs = epochMsOf(condition?.lastTransitionTime);
    if (sinceMs === undefined || condition?.status !== policy.conditionStatus) return [];
    return [{ policy, sinceMs, dueMs: sinceMs + policy.tolerationMs }];
  });
  return found.reduce<UnhealthyCondition | undefined>(
    (first, each) => (first === undefined || each.dueMs < first.dueMs ? each : first),
    undefined,
  );
};

/** One unhealthy node is tolerated for so many nodes, rounded up. */
const NODES_PER_TOLERATED = 5;

/**
 * Whether so many nodes are unhealthy that the cause probably lies elsewhere: more than a fifth, rounded up. Replacing
 * them would only make it worse. Source: the original's `pkg/controllers/node/health/controller.go`.
 */
export const areTooManyUnhealthy = (nodes: readonly Node[], policies: readonly RepairPolicy[]): boolean =>
  nodes.filter((node) => unhealthyConditionOf(node, policies) !== undefined).length > Math.ceil(nodes.length / NODES_PER_TOLERATED);
