/** A link from an object to one that owns it; the garbage collector deletes the object when no owner is left. */
export interface KubeOwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Standard object metadata. Times are RFC 3339 strings, as the API server writes them. What only the server sets is
 * optional.
 */
export interface KubeObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly KubeOwnerReference[];
}

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

/**
 * Order of two resource versions of one cluster: negative when `a` is older. Kubernetes promises since 1.35 (KEP-5504)
 * that they are decimal numbers that may be compared; they may exceed 2^53, so they are compared as text.
 */
export const compareResourceVersions = (a: string, b: string): number => {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** A moment as `metav1.Time`, to the second: `2026-01-01T00:00:00Z`. */
export const kubeTime = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`;

/** A moment as `metav1.MicroTime`, which leases use: six decimals, three of them zero. */
export const microTime = (epochMs: number): string => new Date(epochMs).toISOString().replace('Z', '000Z');

/**
 * Any Kubernetes object as plain JSON. Kinds extend it with what they read; fields that no type names are still there
 * at run time and survive a read-modify-write.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeObjectMeta;
}

/** Whether a JSON value is an object: no list, text, number or null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
