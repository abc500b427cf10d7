import type { Pod } from '@karpenter/core';
import type { LabelSelector, PodAffinityTerm, TopologySpreadConstraint } from '@karpenter/core/internal';
import { namespaceOf } from '@karpenter/core/internal';
import type { PlainLabels } from './node-labels.ts';
import { meetsExpression } from './node-labels.ts';

/** Namespace → its labels. */
export type Namespaces = ReadonlyMap<string, PlainLabels>;

/** Some pods that a constraint speaks about; `text` is the same for the same pods. */
export interface PodScope {
  readonly text: string;
  readonly has: (pod: Pod) => boolean;
}

/** Source: Kubernetes, "Labels and Selectors": no selector picks nothing, an empty one everything. */
export const picks = (selector: LabelSelector | undefined, labels: PlainLabels = {}): boolean =>
  selector !== undefined &&
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector.matchExpressions ?? []).every((expression) => meetsExpression(expression, labels));

/**
 * Whether the pod has the owner's value of each of the keys, or another one; a key that the owner does not have says
 * nothing.
 */
const agrees = (keys: readonly string[], { owner, pod }: { owner: Pod; pod: Pod }, isSame: boolean): boolean =>
  keys.every((key) => {
    const value = owner.metadata.labels?.[key];
    return value === undefined || (pod.metadata.labels?.[key] === value) === isSame;
  });

const valuesOf = (keys: readonly string[], { metadata }: Pod): readonly unknown[] => keys.map((key) => [key, metadata.labels?.[key]]);

/** Source: Kubernetes API, PodAffinityTerm. */
export const scopeOfTerm = (term: PodAffinityTerm, owner: Pod, namespaces: Namespaces): PodScope => {
  const { namespaces: listed = [], namespaceSelector, labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  const inScope = (namespace: string): boolean =>
    namespaceSelector === undefined && listed.length === 0
      ? namespace === namespaceOf(owner)
      : listed.includes(namespace) || picks(namespaceSelector, namespaces.get(namespace));
  return {
    text: JSON.stringify([
      namespaceOf(owner),
      [listed, namespaceSelector, labelSelector],
      [valuesOf(matchLabelKeys, owner), valuesOf(mismatchLabelKeys, owner)],
    ]),
    has: (pod) =>
      inScope(namespaceOf(pod)) &&
      picks(labelSelector, pod.metadata.labels) &&
      agrees(matchLabelKeys, { owner, pod }, true) &&
      agrees(mismatchLabelKeys, { owner, pod }, false),
  };
};

/** Source: Kubernetes API, TopologySpreadConstraint. */
export const scopeOfSpread = ({ labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint, owner: Pod): PodScope => ({
  text: JSON.stringify([namespaceOf(owner), labelSelector, valuesOf(matchLabelKeys, owner)]),
  has: (pod) =>
    namespaceOf(pod) === namespaceOf(owner) && picks(labelSelector, pod.metadata.labels) && agrees(matchLabelKeys, { owner, pod }, true),
});
