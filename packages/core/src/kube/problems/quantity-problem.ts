import type { FieldProblem } from '../../base/index.ts';
import type { ResourceList } from '../object-meta.ts';
import { parseQuantity } from '../resources/quantity.ts';

const problemOf = (field: string, text: string): FieldProblem | undefined => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return { field, value: text, problem: 'is no quantity; write a number like 1500m, 2Gi, 1e3 or 0.5' };
  return quantity.nanos < 0n ? { field, value: text, problem: 'must not be negative' } : undefined;
};

/** The first amount of a resource list that is no quantity, or less than nothing. */
export const quantityProblem = (field: string, list: ResourceList = {}): FieldProblem | undefined => {
  for (const [name, amount] of Object.entries(list)) {
    const problem = problemOf(`${field}.${name}`, String(amount));
    if (problem !== undefined) return problem;
  }
  return undefined;
};
