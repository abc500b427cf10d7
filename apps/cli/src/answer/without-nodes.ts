import { type ClusterSnapshot, subtractResources } from '@karpenter/core';
import { isReschedulable, type NodePoolView, type NodeView } from '@karpenter/core/internal';

const usageWithout = ({ nodePool, usage }: NodePoolView, gone: readonly NodeView[]): NodePoolView['usage'] =>
  gone
    .filter(({ nodePoolName, isMarkedForDeletion }) => nodePoolName === nodePool.metadata.name && !isMarkedForDeletion)
    .reduce((left, { capacity }) => subtractResources(left, { ...capacity, nodes: 1 }), usage);

/**
 * The cluster as if these nodes had never been: their pods are the ones that need a place. Every pod counts, also one that a
 * PodDisruptionBudget or do-not-disrupt keeps where it is.
 */
export const withoutNodes = (snapshot: ClusterSnapshot, names: ReadonlySet<string>): ClusterSnapshot => {
  const gone = snapshot.nodes.filter(({ name }) => names.has(name));
  return {
    ...snapshot,
    nodes: snapshot.nodes.filter(({ name }) => !names.has(name)),
    nodePools: snapshot.nodePools.map((view) => ({ ...view, usage: usageWithout(view, gone) })),
    pendingPods: gone.flatMap(({ pods }) => pods.filter(isReschedulable)),
  };
};
