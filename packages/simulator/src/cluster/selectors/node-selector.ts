import type { LabelSelector, NodeSelectorRequirement, NodeSelectorTerm } from '@karpenter/core/internal';

/** Whether a selector selects these labels. No selector selects nothing, an empty one everything. */
export const selects = (selector: LabelSelector | undefined, labels: NodeLabels): boolean =>
  selector !== undefined &&
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector.matchExpressions ?? []).every((requirement) => satisfies(requirement, labels));

export type NodeLabels = Readonly<Record<string, string>>;

const integerOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;

const compares = (value: string | undefined, bound: string | undefined, than: (a: number, b: number) => boolean): boolean => {
  const [a, b] = [integerOf(value), integerOf(bound)];
  return a !== undefined && b !== undefined && than(a, b);
};

const isAmong = (values: readonly string[], value: string | undefined): boolean => value !== undefined && values.includes(value);

/** Whether labels satisfy one requirement. `Gt` and `Lt` compare integers; anything else does not compare. */
export const satisfies = ({ key, operator, values = [] }: NodeSelectorRequirement, labels: NodeLabels): boolean => {
  const value = labels[key];
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return isAmong(values, value);
    case 'NotIn':
      return !isAmong(values, value);
    case 'Gt':
      return compares(value, values[0], (a, b) => a > b);
    case 'Lt':
      return compares(value, values[0], (a, b) => a < b);
    case 'Gte':
      return compares(value, values[0], (a, b) => a >= b);
    case 'Lte':
      return compares(value, values[0], (a, b) => a <= b);
  }
};

/** What a node selector sees of a node. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: NodeLabels;
}

/** Whether one term matches. An empty term matches no node. Source: kubernetes.io, "Assigning Pods to Nodes". */
export const matchesTerm = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { name, labels }: SelectableNode): boolean =>
  matchExpressions.length + matchFields.length > 0 &&
  matchExpressions.every((requirement) => satisfies(requirement, labels)) &&
  matchFields.every((requirement) => satisfies(requirement, { 'metadata.name': name }));

/** Terms are alternatives. */
export const matchesAnyTerm = (terms: readonly NodeSelectorTerm[], node: SelectableNode): boolean =>
  terms.some((term) => matchesTerm(term, node));
