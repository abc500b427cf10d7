import type { NodeView } from '../cluster/index.ts';
import type { Command } from './command.ts';
import { nodeBlocker } from './node-blocker.ts';

/**
 * Whether events have overtaken a command since the look at which it was found or held: one of its nodes is gone, is another machine, was
 * promised to pods, or may no longer be taken at all. Costs a walk over the nodes; where their pods would go is not asked again.
 */
export const isOvertaken = ({ candidates }: Command, nodes: readonly NodeView[], nowMs: number): boolean => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return candidates.some(({ node, nodePool }) => {
    const now = byName.get(node.name);
    return now === undefined || now.claim?.metadata.name !== node.claim?.metadata.name || nodeBlocker(now, nodePool, nowMs) !== undefined;
  });
};
