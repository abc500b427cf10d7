import { nodeCost } from '../unit-prices.ts';
import { aState } from '../../testing/a-template.ts';
import type { Machine } from '../../testing/a-template.ts';
import type { NewNode } from '../../nodes/new-nodes/new-node.ts';
import type { NodeState } from '../../nodes/node-model.ts';

/** What a node is before any pod, in a pool that sells these machines: the first is type 0, and so on. */
export const aStart = (...machines: readonly Machine[]): NodeState => aState(machines);

/** What new nodes cost an hour, as packing compares them. */
export const costOfNodes = (newNodes: readonly NewNode[]): number => newNodes.reduce((sum, { fit }) => sum + nodeCost(fit), 0);
