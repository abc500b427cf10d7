import type { KubeObject } from './kube-object.ts';

/** A link from an object to one that owns it; the garbage collector deletes the object when no owner is left. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The reference by which `owner` owns another object. An owner that was never written has no uid; that is a bug of the caller. */
export const ownerReferenceTo = (owner: KubeObject): OwnerReference => {
  const { name, uid } = owner.metadata;
  if (uid === undefined) throw new TypeError(`${owner.kind} ${name} has no uid: it was not read from a cluster`);
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, blockOwnerDeletion: true };
};
