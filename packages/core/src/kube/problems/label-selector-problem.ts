import type { FieldProblem } from '../../base/index.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../selectors/selector.ts';
import { firstProblem, requiredChoiceProblem } from './first-problem.ts';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

const valuesProblem = (field: string, { operator, values = [] }: LabelSelectorRequirement): FieldProblem | undefined => {
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues === values.length > 0) return undefined;
  const value = `[${values.join(', ')}]`;
  return { field: `${field}.values`, value, problem: needsValues ? `${operator} takes at least one value` : `${operator} takes no values` };
};

/**
 * What is wrong with a label selector. An absent one is none of a problem: it picks nothing. Source: apimachinery,
 * `LabelSelectorAsSelector`.
 */
export const labelSelectorProblem = (field: string, { matchExpressions = [] }: LabelSelector = {}): FieldProblem | undefined =>
  firstProblem(
    matchExpressions.flatMap((expression, i) => {
      const at = `${field}.matchExpressions[${i}]`;
      return [() => requiredChoiceProblem(`${at}.operator`, expression.operator, OPERATORS), () => valuesProblem(at, expression)];
    }),
  );
