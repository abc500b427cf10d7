import type { LabelSelector, ObjectMeta } from '../../kube/index.ts';

/**
 * Kinds that pick pods of their namespace by label, and whose selectors kube-scheduler reads for the cluster's default
 * spread.
 */
export const selectingKinds = ['Service', 'ReplicationController', 'ReplicaSet', 'StatefulSet'] as const;

/** One of them. */
export type SelectingKind = (typeof selectingKinds)[number];

/** What a Service, or a workload that makes pods, picks pods by. */
export interface PodSelector {
  readonly kind: SelectingKind;
  readonly namespace: string;
  readonly name: string;
  /** Absent: it picks none. */
  readonly labelSelector?: LabelSelector;
}

/** Label key → value: how Services and ReplicationControllers write a selector. */
type EqualitySelector = Readonly<Record<string, string>>;

/** An object of one of these kinds, as far as it picks pods. */
export interface SelectingObject {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly selector?: LabelSelector | EqualitySelector };
}

const labelSelectorOf = (kind: SelectingKind, { spec }: SelectingObject): LabelSelector | undefined => {
  const selector = spec?.selector;
  if (selector === undefined) return undefined;
  const isEquality = kind === 'Service' || kind === 'ReplicationController';
  return isEquality ? { matchLabels: selector as EqualitySelector } : selector;
};

/** What the object picks pods by, and nothing else of it. The kind comes separately: items of a list do not carry it. */
export const podSelectorOf = (kind: SelectingKind, object: SelectingObject): PodSelector => {
  const { name, namespace = 'default' } = object.metadata;
  const labelSelector = labelSelectorOf(kind, object);
  return { kind, namespace, name, ...(labelSelector === undefined ? {} : { labelSelector }) };
};
