/** Where an object stands: its name, and its namespace when its kind is namespaced. */
export interface LocalKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** A link from a dependent to its owner (`metadata.ownerReferences[]`). */
export interface ApiOwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** `metadata` of any object. What the server fills in is optional here, since a person writes objects without it. */
export interface ApiObjectMeta {
  readonly name?: string | undefined;
  readonly generateName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly ApiOwnerReference[] | undefined;
}

/** The part that every Kubernetes object has. Objects that come out of the server are frozen. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMeta;
}

/**
 * Names a served kind: `'Pod'`, or with its group where two groups serve one kind name. `sample` is never read: it
 * carries the type, so that `const pods: KindRef<Pod> = { kind: 'Pod' }` makes `api.get(pods, key)` a `Pod`.
 */
export interface KindRef<T> {
  readonly kind: string;
  readonly apiVersion?: string | undefined;
  readonly sample?: T;
}
