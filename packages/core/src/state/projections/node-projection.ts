import { dropManagedFields } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import type { Node } from '../../kube/index.ts';

/** What a kubelet reports and nobody here reads: of a node's 20 kB the images alone are most. */
const UNREAD = new Set([
  'images',
  'volumesInUse',
  'volumesAttached',
  'addresses',
  'daemonEndpoints',
  'config',
  'runtimeHandlers',
  'features',
]);

/** A cache transform that drops of a node what nobody reads. */
export const nodeProjection = <T extends KubeObject & Node>(node: T): T => {
  const read = Object.entries(node.status ?? {}).filter(([name]) => !UNREAD.has(name));
  return { ...dropManagedFields(node), ...(node.status === undefined ? {} : { status: Object.fromEntries(read) }) };
};
