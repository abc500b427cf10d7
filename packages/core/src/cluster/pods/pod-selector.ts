import { getOrMake, inOrderOfNames } from '../../base/index.ts';
import { labelOf, matchesLabelSelector, namespaceOf } from '../../kube/index.ts';
import type { LabelSelector, ObjectMeta, Pod } from '../../kube/index.ts';

/** What a Service, or a workload that makes pods, picks pods by. */
export interface PodSelector {
  readonly kind: 'Service' | 'ReplicationController' | 'ReplicaSet' | 'StatefulSet';
  readonly namespace: string;
  readonly name: string;
  /** Absent: it picks none. */
  readonly labelSelector?: LabelSelector;
}

/**
 * Kinds that pick pods of their namespace by label, and whose selectors kube-scheduler reads for the cluster's default
 * spread.
 */
export const selectingKinds: readonly PodSelector['kind'][] = ['Service', 'ReplicationController', 'ReplicaSet', 'StatefulSet'];

/** Label key → value: how Services and ReplicationControllers write a selector. */
type EqualitySelector = Readonly<Record<string, string>>;

/** An object of one of these kinds, as far as it picks pods. */
export interface SelectingObject {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly selector?: LabelSelector | EqualitySelector };
}

const labelSelectorOf = (kind: PodSelector['kind'], { spec }: SelectingObject): LabelSelector | undefined => {
  const selector = spec?.selector;
  if (selector === undefined) return undefined;
  const isEquality = kind === 'Service' || kind === 'ReplicationController';
  return isEquality ? { matchLabels: selector as EqualitySelector } : selector;
};

/** What the object picks pods by, and nothing else of it. The kind comes separately: items of a list do not carry it. */
export const podSelectorOf = (kind: PodSelector['kind'], object: SelectingObject): PodSelector => {
  const labelSelector = labelSelectorOf(kind, object);
  return { kind, namespace: namespaceOf(object), name: object.metadata.name, ...(labelSelector === undefined ? {} : { labelSelector }) };
};

/** The pods that a pod is one of; equal texts are equal selectors. */
export interface DefaultSelector {
  readonly text: string;
  readonly selector: LabelSelector;
}

type Labels = Readonly<Record<string, string>>;

const groupOf: Readonly<Record<Exclude<PodSelector['kind'], 'Service'>, string>> = {
  ReplicationController: 'v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
};

/** What picks pods of one namespace. */
class Namespace {
  readonly services: PodSelector[] = [];
  readonly owners = new Map<string, PodSelector>();
  readonly known = new Map<string, DefaultSelector | undefined>();
  /** Of all labels of a pod, only these decide which Services pick it. */
  readonly #keys = new Set<string>();

  add(selector: PodSelector): void {
    if (selector.kind !== 'Service') {
      this.owners.set(`${groupOf[selector.kind]} ${selector.kind} ${selector.name}`, selector);
      return;
    }
    // Source: a Service without a selector picks none.
    if (selector.labelSelector === undefined) return;
    this.services.push(selector);
    for (const key of Object.keys(selector.labelSelector.matchLabels ?? {})) this.#keys.add(key);
  }

  textOf(ownerText: string, labels: Labels): string {
    let text = ownerText;
    for (const key of this.#keys) text += `\n${labelOf(labels, key) ?? '\t'}`;
    return text;
  }
}

const ownerTextOf = ({ metadata }: Pod): string => {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? '' : `${owner.apiVersion} ${owner.kind} ${owner.name}`;
};

const selectorOf = ({ services, owners }: Namespace, ownerText: string, labels: Labels): LabelSelector => {
  const owner = owners.get(ownerText);
  const picking = services.filter(({ labelSelector }) => matchesLabelSelector(labelSelector, labels));
  const equal: Labels = Object.assign({}, ...picking.map(({ labelSelector }) => labelSelector?.matchLabels)) as Labels;
  if (owner?.kind === 'ReplicationController') return { matchLabels: inOrderOfNames({ ...equal, ...owner.labelSelector?.matchLabels }) };
  const { matchLabels = {}, matchExpressions = [] } = owner?.labelSelector ?? {};
  // Beside the Services' labels, never instead of them: where the two disagree, no pod is meant.
  const expressions = Object.entries(inOrderOfNames(matchLabels)).map(([key, value]) => ({
    key,
    operator: 'In' as const,
    values: [value],
  }));
  return { matchLabels: inOrderOfNames(equal), matchExpressions: [...expressions, ...matchExpressions] };
};

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/**
 * Pod → the pods that a default spread counts for it: those that its Services all select, and its controller too (a
 * ReplicationController, ReplicaSet or StatefulSet); undefined where that says nothing. Costs a short text for each
 * pod, and a comparison with the Services of the namespace for each distinct one. Source: kube-scheduler,
 * `helper.DefaultSelector`.
 */
export const defaultSelectors = (podSelectors: readonly PodSelector[]): ((pod: Pod) => DefaultSelector | undefined) => {
  const namespaces = new Map<string, Namespace>();
  for (const podSelector of podSelectors) {
    const found = getOrMake(namespaces, podSelector.namespace, () => new Namespace());
    found.add(podSelector);
  }
  return (pod) => {
    const namespace = namespaces.get(namespaceOf(pod));
    if (namespace === undefined) return undefined;
    const { labels = {} } = pod.metadata;
    const ownerText = ownerTextOf(pod);
    const text = namespace.textOf(ownerText, labels);
    if (namespace.known.has(text)) return namespace.known.get(text);
    const selector = selectorOf(namespace, ownerText, labels);
    const fresh = isEmpty(selector) ? undefined : { text: JSON.stringify(selector), selector };
    namespace.known.set(text, fresh);
    return fresh;
  };
};
