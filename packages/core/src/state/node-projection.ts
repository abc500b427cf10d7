import { dropManagedFields } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import type { Node } from '../kube/index.ts';

/** What a kubelet reports and nobody here reads: of a node's 20 kB the images alone are most. */
const UNREAD = ['images', 'volumesInUse', 'volumesAttached', 'addresses', 'daemonEndpoints', 'config', 'runtimeHandlers', 'features'];

/** A cache transform that drops of a node what nobody reads. Changes the object itself. */
export const nodeProjection = <T extends KubeObject & Node>(node: T): T => {
  const status = (node.status ?? {}) as Record<string, unknown>;
  for (const name of UNREAD) delete status[name];
  return dropManagedFields(node);
};
