import { podRequests, sumResources } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import type { NodeView } from './node-view.ts';

const usages = new WeakMap<NodeView, Resources>();

/**
 * What the pods of a node have reserved together, daemon pods included: cpu in thousandths, memory in bytes. Views are frozen and shared
 * between snapshots, so it is added up once. Throws RangeError on a malformed quantity.
 */
export const usageOfNode = (node: NodeView): Resources => {
  const known = usages.get(node);
  if (known !== undefined) return known;
  const fresh = sumResources(node.pods.map(podRequests));
  usages.set(node, fresh);
  return fresh;
};
