import type { Requirement } from '@karpenter/core';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '@karpenter/core/internal';

export type PlainLabels = Readonly<Record<string, string>>;

const integer = (text: string | undefined): number => (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : Number.NaN);

type Operator = NodeSelectorRequirement['operator'];

const operators: Readonly<Record<Operator, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [bound]) => integer(value) > integer(bound),
  Gte: (value, [bound]) => integer(value) >= integer(bound),
  Lt: (value, [bound]) => integer(value) < integer(bound),
  Lte: (value, [bound]) => integer(value) <= integer(bound),
};

export const isOperator = (text: string): text is Operator => Object.hasOwn(operators, text);

const stableNames: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
};

/**
 * The name that took the place of a deprecated one: whoever labels a node writes both. Source: Kubernetes, "Well-Known
 * Labels, Annotations and Taints".
 */
export const stableName = (key: string): string => stableNames[key] ?? key;

const valueOf = (labels: PlainLabels, key: string): string | undefined => labels[key] ?? labels[stableName(key)];

/** Whether a node with exactly these labels meets one expression. Source: Kubernetes, "Assigning Pods to Nodes", operators. */
export const meetsExpression = ({ key, operator, values = [] }: NodeSelectorRequirement, labels: PlainLabels): boolean =>
  operators[operator](valueOf(labels, key), values);

const meetsTerm = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, labels: PlainLabels): boolean =>
  matchExpressions.length > 0 && matchFields.length === 0 && matchExpressions.every((expression) => meetsExpression(expression, labels));

/**
 * Whether the scheduler would let the pod onto a node with exactly these labels: node selector, and one of the required
 * terms. Terms that name nodes are not checked: no pod is planned by them.
 */
export const meetsNodeLabels = ({ nodeSelector = {}, affinity }: PodSpec, labels: PlainLabels): boolean => {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    Object.entries(nodeSelector).every(([key, value]) => valueOf(labels, key) === value) &&
    (terms === undefined || terms.some((term) => meetsTerm(term, labels)))
  );
};

/** As `meetsNodeLabels`, but by terms that name nodes too: so a spread constraint counts nodes. */
export const meetsNode = (spec: PodSpec, name: string, labels: PlainLabels): boolean => {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const { nodeSelector = {} } = spec;
  return (
    meetsNodeLabels(spec, labels) ||
    (meetsNodeLabels({ ...spec, nodeSelector, affinity: {} }, labels) &&
      terms.some(
        ({ matchExpressions = [], matchFields = [] }) =>
          matchFields.length > 0 &&
          matchFields.every((field) => meetsExpression(field, { 'metadata.name': name })) &&
          matchExpressions.every((expression) => meetsExpression(expression, labels)),
      ))
  );
};

/** The single value of a requirement; undefined when there are none or several. */
export const onlyValue = ({ values }: Requirement): string | undefined => {
  if (values.kind !== 'in' || values.values.size !== 1) return undefined;
  const [value] = values.values;
  return value;
};
