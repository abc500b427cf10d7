import { memoByObject } from '../../base/index.ts';
import { podRequests, sumResources } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import type { NodeView } from './node-view.ts';

/**
 * What the pods of a node have reserved together, daemon pods included: cpu in thousandths, memory in bytes. Views are
 * frozen and shared between snapshots, so it is added up once. Throws RangeError on a malformed quantity.
 */
export const usageOfNode: (node: NodeView) => Resources = memoByObject(({ pods }) => sumResources(pods.map(podRequests)));
