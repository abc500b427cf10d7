import type { LabelSelector, PodAffinityTerm } from '@karpenter/core/internal';
import { type NodeLabels, selects } from '../../selectors/node-selector.ts';

/** The pods that a term or a spread constraint speaks about, asked of one pod at a time. */
export type AffinityMatcher = (other: { readonly namespace: string; readonly labels: NodeLabels }) => boolean;

/** Labels of a namespace; empty for one that is unknown. */
export type NamespaceLabels = (namespace: string) => NodeLabels;

/** A parsed term of pod affinity or anti-affinity. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly weight: number;
  readonly matches: AffinityMatcher;
}

/**
 * Keys whose value the pod shares (`In`) or does not share (`NotIn`) with the pods that are meant. A key that the pod
 * lacks is passed over.
 */
export const withLabelKeys = (
  selector: LabelSelector | undefined,
  labels: NodeLabels,
  keys: { readonly match?: readonly string[] | undefined; readonly mismatch?: readonly string[] | undefined },
): LabelSelector | undefined => {
  if (selector === undefined) return undefined;
  const expression = (operator: 'In' | 'NotIn') => (key: string) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  };
  const more = [...(keys.match ?? []).flatMap(expression('In')), ...(keys.mismatch ?? []).flatMap(expression('NotIn'))];
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...more] };
};

/** The pod that carries the term. */
export interface AffinityTermOwner {
  readonly namespace: string;
  readonly labels: NodeLabels;
  readonly namespaceLabels: NamespaceLabels;
}

/** Neither `namespaces` nor `namespaceSelector`: the owner's own namespace; both: either one. */
export const compileTerm = (term: PodAffinityTerm, owner: AffinityTermOwner, weight = 0): AffinityTerm => {
  const { namespaces = [], namespaceSelector, matchLabelKeys, mismatchLabelKeys } = term;
  const selector = withLabelKeys(term.labelSelector, owner.labels, { match: matchLabelKeys, mismatch: mismatchLabelKeys });
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined;
  const inScope = (namespace: string): boolean =>
    isOwn ? namespace === owner.namespace : namespaces.includes(namespace) || selects(namespaceSelector, owner.namespaceLabels(namespace));
  return {
    topologyKey: term.topologyKey,
    weight,
    matches: ({ namespace, labels }) => inScope(namespace) && selects(selector, labels),
  };
};
