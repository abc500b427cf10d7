import type { FieldProblem } from '../../base/index.ts';
import type { Toleration } from '../taint.ts';
import { choiceProblem, firstProblem } from './first-problem.ts';

const OPERATORS = ['Exists', 'Equal', 'Gt', 'Lt'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''];
const INTEGER = /^-?\d+$/;

const valueProblem = (field: string, { operator = 'Equal', value = '' }: Toleration): FieldProblem | undefined => {
  const at = { field: `${field}.value`, value };
  if (operator === 'Exists' && value !== '') return { ...at, problem: 'must be empty beside the operator Exists, which bears any value' };
  const compares = operator === 'Gt' || operator === 'Lt';
  return compares && !INTEGER.test(value) ? { ...at, problem: `must be an integer beside the operator ${operator}` } : undefined;
};

const keyProblem = (field: string, { key = '', operator = 'Equal' }: Toleration): FieldProblem | undefined =>
  key === '' && operator !== 'Exists'
    ? { field: `${field}.key`, value: key, problem: `must name a taint beside the operator ${operator}; only Exists may go without a key` }
    : undefined;

/** What is wrong with a toleration. Source: Kubernetes, `validation.ValidateTolerations`. */
export const tolerationProblem = (field: string, toleration: Toleration): FieldProblem | undefined =>
  firstProblem([
    () => choiceProblem(`${field}.operator`, toleration.operator, OPERATORS),
    () => choiceProblem(`${field}.effect`, toleration.effect, EFFECTS),
    () => keyProblem(field, toleration),
    () => valueProblem(field, toleration),
  ]);
