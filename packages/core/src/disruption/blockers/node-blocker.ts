import { annotations } from '../../apis/index.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Blocker } from './blocker.ts';

/**
 * Why no method may take the node, whatever runs on it; undefined when one may. Source: the original's
 * `state.StateNode.ValidateNodeDisruptable`. Differs: there no method takes a node whose pool offers nothing at the
 * moment; here it goes where its pods fit on other nodes.
 */
export const nodeBlocker = (node: NodeView, nodePool: NodePoolView | undefined, nowMs: number): Blocker | undefined => {
  if (node.isMarkedForDeletion) return { kind: 'marked' };
  if (!node.hasNode || !node.isInitialized) return { kind: 'not-initialized' };
  if (node.nominatedUntilMs !== undefined && node.nominatedUntilMs > nowMs) return { kind: 'nominated', untilMs: node.nominatedUntilMs };
  if (node.annotations[annotations.doNotDisrupt] === 'true') return { kind: 'do-not-disrupt-node' };
  return nodePool === undefined ? { kind: 'unknown-node-pool', nodePoolName: node.nodePoolName } : undefined;
};
