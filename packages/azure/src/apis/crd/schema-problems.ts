import type { JsonSchema } from '@karpenter/core';
import type { problemsText } from '@karpenter/core/provider-kit';

/** A value that is not taken: where it stands, what it is, and what would be right. */
export type ValueProblem = Parameters<typeof problemsText>[0][number];

const numberProblem = ({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema, value: unknown): string | undefined => {
  if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value))) return `must be a ${type ?? 'number'}`;
  return value >= minimum && value <= maximum ? undefined : `must be within ${minimum} and ${maximum}`;
};

const textProblem = ({ enum: accepted, pattern, maxLength = Infinity }: JsonSchema, value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'must be a text';
  if (accepted !== undefined && !accepted.includes(value)) return `must be one of ${accepted.join(', ')}`;
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  return pattern === undefined || new RegExp(pattern).test(value) ? undefined : `must match ${pattern}`;
};

const listProblems = ({ items = {}, maxItems = Infinity }: JsonSchema, value: unknown, field: string): readonly ValueProblem[] => {
  if (!Array.isArray(value)) return [{ field, value: JSON.stringify(value), problem: 'must be a list' }];
  if (value.length > maxItems) return [{ field, value: `${value.length} items`, problem: `must have at most ${maxItems}` }];
  return value.flatMap((each, index) => schemaProblems(items, each, `${field}[${index}]`));
};

const objectProblems = ({ properties = {}, additionalProperties }: JsonSchema, value: unknown, field: string): readonly ValueProblem[] => {
  if (typeof value !== 'object' || value === null) return [{ field, value: JSON.stringify(value), problem: 'must be an object' }];
  return Object.entries(value).flatMap(([name, each]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return schema === undefined ? [] : schemaProblems(schema, each, `${field}.${name}`);
  });
};

const plainProblem = (schema: JsonSchema, value: unknown): string | undefined => {
  if (schema.type === 'string') return textProblem(schema, value);
  if (schema.type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be a boolean';
  return numberProblem(schema, value);
};

/**
 * Where a value breaks the types, patterns, lists of values and limits of a schema; rules are left to the API server. An
 * object may have been stored under an older definition, or under none of ours.
 */
export const schemaProblems = (schema: JsonSchema, value: unknown, field: string): readonly ValueProblem[] => {
  if (value === undefined || value === null) return [];
  if (schema.type === 'object') return objectProblems(schema, value, field);
  if (schema.type === 'array') return listProblems(schema, value, field);
  const problem = plainProblem(schema, value);
  return problem === undefined ? [] : [{ field, value: typeof value === 'string' ? value : JSON.stringify(value), problem }];
};
