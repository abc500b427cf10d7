/** A link from an object to one that owns it; the garbage collector deletes the object when no owner is left. */
export interface KubeOwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}
