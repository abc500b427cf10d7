import { durationMs, durationOrNeverMs } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { isLabelKey, isLabelValue } from '../kube/index.ts';
import type { Taint } from '../kube/index.ts';
import { isRestrictedLabel } from './label-catalog.ts';
import type { LabelCatalog } from './label-catalog.ts';
import { labels as names } from './names.ts';
import type { RequirementSpec } from './node-pool.ts';

/** A duration that may be left out, and may be `Never` where `never` says so. */
export const durationProblems = (field: string, value: string | undefined, never: 'or Never' | 'never'): readonly FieldProblem[] => {
  if (value === undefined) return [];
  const ms = never === 'or Never' ? durationOrNeverMs(value) : durationMs(value);
  if (ms !== undefined && ms >= 0) return [];
  const accepted = never === 'or Never' ? 'a duration such as 30m or 720h, or Never' : 'a duration such as 30m or 720h';
  return [{ field, value, problem: `must be ${accepted}` }];
};

const KEY_SHAPE = 'must be a label key: at most 63 letters, digits, "-", "_" or ".", with an optional DNS prefix and "/"';
const VALUE_SHAPE =
  'must be a label value: empty, or at most 63 letters, digits, "-", "_" or ".", beginning and ending with a letter or digit';

/** What is wrong with a label that a user names; `forNodePool` also refuses the label that says which pool a node is of. */
export const labelKeyProblems = (
  field: string,
  key: string,
  { catalog, forNodePool }: { readonly catalog: LabelCatalog; readonly forNodePool: boolean },
): readonly FieldProblem[] => {
  if (!isLabelKey(key)) return [{ field, value: key, problem: KEY_SHAPE }];
  if (forNodePool && key === names.nodePool) return [{ field, value: key, problem: 'is set by Karpenter and cannot be chosen' }];
  if (!isRestrictedLabel(key, catalog)) return [];
  return [{ field, value: key, problem: 'is restricted; choose a label of a domain of your own, or a well-known one' }];
};

export const labelValueProblems = (field: string, value: string): readonly FieldProblem[] =>
  isLabelValue(value) ? [] : [{ field, value, problem: VALUE_SHAPE }];

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
const BOUNDING: readonly string[] = ['Gt', 'Lt', 'Gte', 'Lte'];

const inProblem = (values: readonly string[], minValues: number): string | undefined => {
  if (values.length === 0) return 'In takes at least one value';
  return values.length < minValues ? `minValues asks for ${minValues} values, but only ${values.length} are named` : undefined;
};

const boundProblem = (operator: string, values: readonly string[]): string | undefined =>
  values.length === 1 && /^\d+$/.test(values[0] ?? '') ? undefined : `${operator} takes exactly one integer of at least 0`;

const countProblem = ({ operator, values = [], minValues = 0 }: RequirementSpec): string | undefined => {
  if (!OPERATORS.includes(operator)) return `must be one of ${OPERATORS.join(', ')}`;
  if (operator === 'In') return inProblem(values, minValues);
  return BOUNDING.includes(operator) ? boundProblem(operator, values) : undefined;
};

/** Where the provider knows all values of a label, at least one, and at least `minValues`, must be among those named. */
const knownValueProblem = ({ key, operator, values = [], minValues = 1 }: RequirementSpec, catalog: LabelCatalog): string | undefined => {
  const known = catalog.knownValues.get(catalog.normalizedKeys.get(key) ?? key);
  if (known === undefined || operator !== 'In') return undefined;
  const count = values.filter((value) => known.has(value)).length;
  return count >= minValues
    ? undefined
    : `${count} of the named values exist, ${minValues} must; accepted are ${[...known].sort().join(', ')}`;
};

/** What is wrong with one requirement of a NodePool or NodeClaim. */
export const requirementProblems = (
  field: string,
  spec: RequirementSpec,
  options: { readonly catalog: LabelCatalog; readonly forNodePool: boolean },
): readonly FieldProblem[] => {
  const { values = [], minValues } = spec;
  const problem = countProblem(spec) ?? knownValueProblem(spec, options.catalog);
  const minimum = minValues !== undefined && !(Number.isInteger(minValues) && minValues >= 1 && minValues <= 50);
  return [
    ...labelKeyProblems(`${field}.key`, spec.key, options),
    ...values.flatMap((value, i) => labelValueProblems(`${field}.values[${i}]`, value)),
    ...(problem === undefined ? [] : [{ field, value: `${spec.key} ${spec.operator} [${values.join(', ')}]`, problem }]),
    ...(minimum ? [{ field: `${field}.minValues`, value: String(minValues), problem: 'must be an integer from 1 to 50' }] : []),
  ];
};

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

const ownProblems = (field: string, { key, value = '', effect }: Taint): readonly FieldProblem[] => [
  ...(isLabelKey(key) ? [] : [{ field: `${field}.key`, value: key, problem: 'must be a key such as example.com/dedicated' }]),
  ...labelValueProblems(`${field}.value`, value),
  ...(EFFECTS.includes(effect) ? [] : [{ field: `${field}.effect`, value: effect, problem: `must be one of ${EFFECTS.join(', ')}` }]),
];

export interface Taints {
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
}

/** What is wrong with the taints of a machine: each by itself, and any pair of key and effect that occurs twice. */
export const taintProblems = (field: string, { taints = [], startupTaints = [] }: Taints): readonly FieldProblem[] => {
  const seen = new Set<string>();
  const problemsOf = (name: string) => (taint: Taint, index: number) => {
    const at = `${field}.${name}[${index}]`;
    const pair = `${taint.key}:${taint.effect}`;
    const repeated = seen.has(pair)
      ? [{ field: at, value: pair, problem: 'occurs twice; a key and effect may be named only once in taints and startupTaints' }]
      : [];
    seen.add(pair);
    return [...ownProblems(at, taint), ...repeated];
  };
  return [...taints.flatMap(problemsOf('taints')), ...startupTaints.flatMap(problemsOf('startupTaints'))];
};
