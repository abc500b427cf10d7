import { compareText, epochMsOf, timestampOf } from '../base/index.ts';

/**
 * `metadata` of any Kubernetes object, as plain JSON. Fields that this library does not read survive a read-modify-write.
 * The runtime's `KubeObjectMeta` has the same fields: the pure half imports nothing of the runtime (ADR 2), and the
 * runtime no Karpenter word.
 */
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

/** How long ago the object was created; 0 when it does not say. */
export const ageMs = ({ creationTimestamp }: ObjectMeta, nowMs: number): number =>
  Math.max(0, nowMs - (epochMsOf(creationTimestamp) ?? nowMs));

interface InNamespace {
  readonly metadata: { readonly namespace?: string | undefined };
}

/** The namespace of an object that is in one, `default` where none is stated. */
export const namespaceOf = ({ metadata: { namespace = 'default' } }: InNamespace): string => namespace;

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

type Conditions = readonly Condition[] | undefined;

/** The condition of this type; undefined where there is none. */
export const conditionOf = (conditions: Conditions, type: string): Condition | undefined => conditions?.find((c) => c.type === type);

/** Whether there is a condition of this type, and it is `True`. */
export const isConditionTrue = (conditions: Conditions, type: string): boolean => conditionOf(conditions, type)?.status === 'True';

const saysTheSame = (a: Condition, b: Omit<Condition, 'lastTransitionTime'>): boolean =>
  a.status === b.status && a.reason === b.reason && a.message === b.message && a.observedGeneration === b.observedGeneration;

/**
 * The conditions with one set. `lastTransitionTime` moves only when the status changes; a condition that says the same
 * as before leaves the list itself untouched, so that a caller can compare by identity and write nothing.
 */
export const withCondition = (
  conditions: Conditions,
  wanted: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): readonly Condition[] => {
  const all = conditions ?? [];
  const before = conditionOf(all, wanted.type);
  if (before === undefined) return [...all, { ...wanted, lastTransitionTime: timestampOf(nowMs) }];
  if (before.lastTransitionTime !== undefined && saysTheSame(before, wanted)) return all;
  const since = before.status === wanted.status ? before.lastTransitionTime : undefined;
  return all.map((c) => (c === before ? { ...wanted, lastTransitionTime: since ?? timestampOf(nowMs) } : c));
};

/** The conditions without one; the same list when it was not there. */
export const withoutCondition = (conditions: Conditions, type: string): readonly Condition[] => {
  if (conditions === undefined) return [];
  return conditions.some((c) => c.type === type) ? conditions.filter((c) => c.type !== type) : conditions;
};

/** Orders objects by age, the oldest first; those of one moment by name. */
export const byAge = ({ metadata: a }: { readonly metadata: ObjectMeta }, { metadata: b }: { readonly metadata: ObjectMeta }): number =>
  compareText(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compareText(a.name, b.name);
