import type { FieldProblem } from './field-problem.ts';

/**
 * What a JSON value has to be. `amount`: a number, or a text that says one. Of `fields` only those named are looked at; all of them may be
 * missing but those that are needed.
 */
export type Shape =
  | 'text'
  | 'number'
  | 'amount'
  | { readonly list: Shape }
  | { readonly record: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly needs?: readonly string[] };

type Fields = Extract<Shape, { readonly fields: unknown }>;

const LONGEST = 60;

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? 'undefined');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const wrong = (field: string, value: unknown, problem: string): FieldProblem => ({ field, value: textOf(value), problem });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstOf = (parts: Iterable<readonly [shape: Shape, value: unknown, field: string]>): FieldProblem | undefined => {
  for (const [shape, value, field] of parts) {
    const problem = shapeProblem(shape, value, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const missingText = (shape: Shape | undefined): string => {
  if (shape === undefined || typeof shape === 'string') return 'must be there';
  return 'list' in shape ? 'must be a list; it may be empty' : 'must be an object';
};

const fieldsProblem = ({ fields, needs = [] }: Fields, value: unknown, at: string): FieldProblem | undefined => {
  if (!isRecord(value)) return wrong(at, value, 'must be an object');
  const within = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const missing = needs.find((name) => value[name] === undefined);
  if (missing !== undefined) return wrong(within(missing), undefined, missingText(fields[missing]));
  const there = Object.entries(fields).filter(([name]) => value[name] !== undefined);
  return firstOf(there.map(([name, shape]) => [shape, value[name], within(name)] as const));
};

const listProblem = (shape: Shape, value: unknown, field: string): FieldProblem | undefined =>
  Array.isArray(value)
    ? firstOf(value.map((each: unknown, i) => [shape, each, `${field}[${i}]`] as const))
    : wrong(field, value, 'must be a list');

const recordProblem = (shape: Shape, value: unknown, field: string): FieldProblem | undefined =>
  isRecord(value)
    ? firstOf(Object.entries(value).map(([name, each]) => [shape, each, `${field}.${name}`] as const))
    : wrong(field, value, 'must be an object');

const plain = {
  text: 'must be a text; write numbers and booleans in quotes',
  number: 'must be a number',
  amount: 'must be a number, or a text that says one',
} as const;

const isOf = (sort: keyof typeof plain, value: unknown): boolean =>
  (sort !== 'text' && Number.isFinite(value)) || (sort !== 'number' && typeof value === 'string');

/** The first value, in the order of the shape, that is of another sort than the shape says; undefined when there is none. Costs a walk. */
export const shapeProblem = (shape: Shape, value: unknown, field: string): FieldProblem | undefined => {
  if (typeof shape === 'string') return isOf(shape, value) ? undefined : wrong(field, value, plain[shape]);
  if ('list' in shape) return listProblem(shape.list, value, field);
  return 'record' in shape ? recordProblem(shape.record, value, field) : fieldsProblem(shape, value, field);
};
