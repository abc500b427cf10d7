import { podRequests, sumResources } from '../kube/index.ts';
import type { Resources } from '../kube/index.ts';
import type { NodeView } from './node-view.ts';

/** What the pods of a node have reserved together, daemon pods included. */
export const usageOfNode = (node: NodeView): Resources => sumResources(node.pods.map(podRequests));
