import type { ClusterSnapshot, Pod } from '@karpenter/core';

const hasNone = ({ spec }: Pod): boolean => spec.volumes === undefined;

/** The cluster without the pods that have volumes: `bindPlan` makes no claims and no volumes, so that such pods would wait for theirs. */
export const withoutVolumes = (snapshot: ClusterSnapshot): ClusterSnapshot => ({
  ...snapshot,
  pendingPods: snapshot.pendingPods.filter(hasNone),
  nodes: snapshot.nodes.map((node) => ({ ...node, pods: node.pods.filter(hasNone) })),
});
