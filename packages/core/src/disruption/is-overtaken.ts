import type { NodeView } from '../cluster/index.ts';
import { isReschedulable, namespacedNameOf } from '../kube/index.ts';
import type { Command } from './command.ts';
import { nodeBlocker } from './blockers/node-blocker.ts';

/** Whether a pod that would need a new place has come to the node. */
const hasNewPods = (now: NodeView, { pods }: NodeView): boolean => {
  const known = new Set(pods.map(({ metadata }) => metadata.uid ?? namespacedNameOf(metadata)));
  return now.pods.some((pod) => isReschedulable(pod) && !known.has(pod.metadata.uid ?? namespacedNameOf(pod.metadata)));
};

/**
 * Whether events have overtaken a command since it was found or last confirmed: one of its nodes is gone, is another
 * machine, has new or nominated pods, or may no longer be disrupted. Costs a walk over the nodes; where their pods
 * would go is not asked again.
 */
export const isOvertaken = ({ candidates }: Command, nodes: readonly NodeView[], nowMs: number): boolean => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return candidates.some(({ node, nodePool }) => {
    const now = byName.get(node.name);
    if (now === undefined || now.claim?.metadata.name !== node.claim?.metadata.name) return true;
    return nodeBlocker(now, nodePool, nowMs) !== undefined || hasNewPods(now, node);
  });
};
