/** `metadata` of any Kubernetes object, as plain JSON. Fields that this library does not read survive a read-modify-write. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generateName?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** `namespace/name`, in the namespace `default` where none is stated. */
export const namespacedNameOf = ({ namespace = 'default', name }: Pick<ObjectMeta, 'namespace' | 'name'>): string => `${namespace}/${name}`;

/** An entry of `metadata.ownerReferences`; the one with `controller` is who would make the object again. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** An entry of `status.conditions`. Source: Kubernetes API conventions, "Typical status properties". */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** Resource name → Kubernetes quantity as written (`"1500m"`, `"2Gi"`, or a bare number). Parsed by `resourcesOf`. */
export type ResourceList = Readonly<Record<string, string | number>>;
