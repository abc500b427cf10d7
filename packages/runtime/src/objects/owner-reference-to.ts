import type { KubeObject } from './kube-object.ts';
import type { KubeOwnerReference } from './owner-reference.ts';

/**
 * The reference by which `owner` owns another object, which a deletion of the owner in the foreground waits for: where
 * the API server enforces it, the writer needs `update` on the `finalizers` of the owner's kind. An owner that was
 * never written has no uid; that is a bug of the caller.
 */
export const ownerReferenceTo = (owner: KubeObject): KubeOwnerReference => {
  const { name, uid } = owner.metadata;
  if (uid === undefined) throw new TypeError(`${owner.kind} ${name} has no uid: it was not read from a cluster`);
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, blockOwnerDeletion: true };
};
