import type { KubeObject } from '../objects/kube-object.ts';

/**
 * The object without `metadata.managedFields`, which is often half of its size and read by nobody here. Changes the
 * object itself.
 */
export const dropManagedFields = <T extends KubeObject>(object: T): T => {
  delete (object.metadata as { managedFields?: unknown }).managedFields;
  return object;
};
