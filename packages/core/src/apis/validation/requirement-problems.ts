import type { FieldProblem } from '../../base/index.ts';
import type { LabelCatalog } from '../label-catalog.ts';
import type { RequirementSpec } from '../node-pool.ts';
import { labelKeyProblems, labelValueProblems } from './label-problems.ts';

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
