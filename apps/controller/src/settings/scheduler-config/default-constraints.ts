import { spreadProblem, type TopologySpreadConstraint } from '@karpenter/core/internal';
import { isLabelKey } from '@karpenter/core/provider-kit';
import { isJsonObject } from '@karpenter/runtime';

/** The cluster's default spread, and one sentence for each thing that is wrong with it. */
export interface DefaultSpread {
  readonly constraints: readonly TopologySpreadConstraint[];
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object of YAML or JSON; undefined for a list, a text, a number, nothing. */
export const fieldsOf = (value: unknown): Fields | undefined => (isJsonObject(value) ? value : undefined);

/** One sentence for each field that nobody reads. */
export const unknownFields = (path: string, fields: Fields, known: readonly string[]): readonly string[] =>
  Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => `${path === '' ? '' : `${path}.`}${name} is not known; expected ${known.join(', ')}`);

const FIELDS = [
  ...['maxSkew', 'topologyKey', 'whenUnsatisfiable', 'minDomains', 'nodeAffinityPolicy', 'nodeTaintsPolicy'],
  ...['labelSelector', 'matchLabelKeys'],
];

const keyProblems = (path: string, topologyKey: unknown): readonly string[] =>
  topologyKey === undefined || topologyKey === '' || (typeof topologyKey === 'string' && isLabelKey(topologyKey))
    ? []
    : [`${path}.topologyKey is ${JSON.stringify(topologyKey)}: must be a label key, such as topology.kubernetes.io/zone`];

/** kube-scheduler deduces the selector for each pod, and overwrites what would be said here. */
const selectorProblems = (path: string, { labelSelector, matchLabelKeys }: Fields): readonly string[] => [
  ...(labelSelector === undefined ? [] : [`${path}.labelSelector must not be set: it is deduced for each pod`]),
  ...(matchLabelKeys === undefined ? [] : [`${path}.matchLabelKeys must not be set: it has no effect on default constraints`]),
];

const problemsOf = (path: string, fields: Fields): readonly string[] => {
  const { labelSelector: _, matchLabelKeys: __, ...own } = fields;
  // An invalid constraint is reported field by field.
  const wrong = spreadProblem(path, own as unknown as TopologySpreadConstraint);
  return [
    ...unknownFields(path, fields, FIELDS),
    ...(wrong === undefined ? [] : [`${wrong.field} is ${JSON.stringify(wrong.value)}: ${wrong.problem}`]),
    ...keyProblems(path, fields['topologyKey']),
    ...selectorProblems(path, fields),
  ];
};

const identityOf = (fields: Fields | undefined): string => JSON.stringify([fields?.['topologyKey'], fields?.['whenUnsatisfiable']]);

/** `defaultConstraints` as kube-scheduler takes them. Source: Kubernetes, `ValidatePodTopologySpreadArgs`. */
export const defaultConstraints = (path: string, value: unknown): DefaultSpread => {
  if (!Array.isArray(value)) return { constraints: [], problems: [`${path} must be a list of constraints`] };
  const all = value.map(fieldsOf);
  const problems = all.flatMap((fields, index) => {
    const at = `${path}[${index}]`;
    if (fields === undefined) return [`${at} must be a constraint with maxSkew, topologyKey and whenUnsatisfiable`];
    const first = all.findIndex((other) => identityOf(other) === identityOf(fields));
    const repeated = first < index ? [`${at} has topologyKey and whenUnsatisfiable of ${path}[${first}]: one of them must go`] : [];
    return [...problemsOf(at, fields), ...repeated];
  });
  return { constraints: problems.length > 0 ? [] : (value as readonly TopologySpreadConstraint[]), problems };
};
