import { unreachable } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import type { NodeSelectorOperator } from '../kube/index.ts';
import { allBut, anyValue, noValue } from './requirement.ts';
import type { Requirement } from './requirement.ts';

type Meaning = Pick<Requirement, 'values' | 'mayBeAbsent'>;
type Bounding = Extract<NodeSelectorOperator, 'Gt' | 'Gte' | 'Lt' | 'Lte'>;

const INTEGER = /^-?\d+$/;

const boundsOf = (operator: Bounding, bound: number): { gte?: number; lte?: number } => {
  switch (operator) {
    case 'Gt':
      return { gte: bound + 1 };
    case 'Gte':
      return { gte: bound };
    case 'Lt':
      return { lte: bound - 1 };
    case 'Lte':
      return { lte: bound };
    default:
      return unreachable(operator);
  }
};

const bounded = (operator: Bounding, values: readonly string[]): Meaning | string => {
  const [value = ''] = values;
  if (values.length !== 1 || !INTEGER.test(value)) return `${operator} takes exactly one integer`;
  const bound = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
  return { values: allBut([], boundsOf(operator, bound)), mayBeAbsent: false };
};

const meaningOf = (operator: NodeSelectorOperator, values: readonly string[]): Meaning | string => {
  switch (operator) {
    case 'In':
      return values.length === 0 ? 'In takes at least one value' : { values: { kind: 'in', values: new Set(values) }, mayBeAbsent: false };
    case 'NotIn':
      return { values: allBut(values), mayBeAbsent: true };
    case 'Exists':
      return { values: anyValue, mayBeAbsent: false };
    case 'DoesNotExist':
      return { values: noValue, mayBeAbsent: true };
    case 'Gt':
    case 'Gte':
    case 'Lt':
    case 'Lte':
      return bounded(operator, values);
    default:
      return `${String(operator)} is no operator; accepted are In, NotIn, Exists, DoesNotExist, Gt, Gte, Lt and Lte`;
  }
};

/** The key and values that are meant, where a deprecated or foreign name was written. */
const normalized = ({ key, values = [] }: RequirementSpec, catalog: LabelCatalog): { key: string; values: readonly string[] } => {
  const meant = catalog.normalizedKeys.get(key) ?? key;
  const byValue = catalog.normalizedValues.get(meant);
  return { key: meant, values: byValue === undefined ? values : values.map((value) => byValue.get(value) ?? value) };
};

/**
 * What a written requirement means, or what is wrong with it. `field` leads the problem's path.
 * Differs: a bound that is no integer is a problem; the original reads it as 0.
 */
export const requirementOf = (spec: RequirementSpec, catalog: LabelCatalog, field = 'requirement'): Requirement | FieldProblem => {
  const { key, values } = normalized(spec, catalog);
  const meaning = meaningOf(spec.operator, values);
  if (typeof meaning === 'string')
    return { field: `${field}[${spec.key}]`, value: `${spec.operator} [${values.join(', ')}]`, problem: meaning };
  return spec.minValues === undefined ? { key, ...meaning } : { key, ...meaning, minValues: spec.minValues };
};
