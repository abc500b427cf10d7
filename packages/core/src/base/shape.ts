/**
 * What is wrong with a value that a person wrote: where it stands, what it is, and what would be accepted. A value,
 * never thrown.
 */
export interface FieldProblem {
  /** Path from the object's root: `spec.template.spec.requirements[2].values[0]`. */
  readonly field: string;
  readonly value: string;
  readonly problem: string;
}

/** The API server takes 32,768 characters of a message. */
const MOST_NAMED = 20;
const MOST_CHARACTERS = 300;

const cut = (text: string): string => (text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`);

/**
 * Field, value and what would be accepted, for each of the first 20 problems. One line, parts joined by `; `; field and
 * value are cut after 300 characters each, so that the API server takes the text as a message. Empty for no problem.
 */
export const problemsText = (problems: readonly FieldProblem[]): string => {
  const named = problems.slice(0, MOST_NAMED).map(({ field, value, problem }) => `${cut(field)}: ${JSON.stringify(cut(value))} ${problem}`);
  const others = problems.length - named.length;
  return [...named, ...(others > 0 ? [`and ${others} others`] : [])].join('; ');
};

/** Whether this is a problem and not the expected value; no domain value of this library has all three fields. */
export const isFieldProblem = (value: object): value is FieldProblem => 'field' in value && 'value' in value && 'problem' in value;

/**
 * What a JSON value has to be. `amount`: a number, or a text that says one. Of `fields` only those named are checked;
 * all of them may be missing but those that are needed.
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

/** The text, cut after 60 characters: an annotation may have 256 KiB, and a message about it is kept. */
export const shortText = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? 'undefined');
  return shortText(text);
};

const wrong = (value: unknown, problem: string): FieldProblem => ({ field: '', value: textOf(value), problem });

/**
 * A problem with a part, as one with the whole. Paths are put together only where there is a problem: a list may have
 * many thousand values.
 */
const within = (part: string, problem: FieldProblem): FieldProblem => {
  const isPartOfPart = part !== '' && problem.field !== '' && !problem.field.startsWith('[');
  return { ...problem, field: `${part}${isPartOfPart ? '.' : ''}${problem.field}` };
};

/** Whether it is an object and no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const missingText = (shape: Shape | undefined): string => {
  if (shape === undefined || typeof shape === 'string') return 'must be there';
  return 'list' in shape ? 'must be a list; it may be empty' : 'must be an object';
};

const fieldsProblem = ({ fields, needs = [] }: Fields, value: unknown): FieldProblem | undefined => {
  if (!isRecord(value)) return wrong(value, 'must be an object');
  const missing = needs.find((name) => value[name] === undefined);
  if (missing !== undefined) return within(missing, wrong(undefined, missingText(fields[missing])));
  for (const [name, shape] of Object.entries(fields)) {
    const problem = value[name] === undefined ? undefined : problemOf(shape, value[name]);
    if (problem !== undefined) return within(name, problem);
  }
  return undefined;
};

const listProblem = (shape: Shape, value: unknown): FieldProblem | undefined => {
  if (!Array.isArray(value)) return wrong(value, 'must be a list');
  for (let index = 0; index < value.length; index++) {
    const problem = problemOf(shape, value[index]);
    if (problem !== undefined) return within(`[${index}]`, problem);
  }
  return undefined;
};

const recordProblem = (shape: Shape, value: unknown): FieldProblem | undefined => {
  if (!isRecord(value)) return wrong(value, 'must be an object');
  for (const name of Object.keys(value)) {
    const problem = problemOf(shape, value[name]);
    if (problem !== undefined) return within(name, problem);
  }
  return undefined;
};

const plain = {
  text: 'must be a text; write numbers and booleans in quotes',
  number: 'must be a number',
  amount: 'must be a number, or a text that says one',
} as const;

const isOf = (sort: keyof typeof plain, value: unknown): boolean =>
  (sort !== 'text' && Number.isFinite(value)) || (sort !== 'number' && typeof value === 'string');

const problemOf = (shape: Shape, value: unknown): FieldProblem | undefined => {
  if (typeof shape === 'string') return isOf(shape, value) ? undefined : wrong(value, plain[shape]);
  if ('list' in shape) return listProblem(shape.list, value);
  return 'record' in shape ? recordProblem(shape.record, value) : fieldsProblem(shape, value);
};

/**
 * The first value, in the order of the shape, that is of another sort than the shape says; undefined when there is
 * none. Costs a walk.
 */
export const shapeProblem = (shape: Shape, value: unknown, field: string): FieldProblem | undefined => {
  const problem = problemOf(shape, value);
  return problem && within(field, problem);
};

const cleanList = (list: readonly unknown[]): readonly unknown[] => {
  const cleaned = list.filter((each) => each !== null).map(clean);
  return cleaned.length === list.length && cleaned.every((each, index) => each === list[index]) ? list : cleaned;
};

const cleanRecord = (record: Readonly<Record<string, unknown>>): unknown => {
  let isChanged = false;
  const cleaned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    const fresh = clean(value);
    isChanged ||= fresh !== value || value === null;
    if (value !== null) cleaned[key] = fresh;
  }
  return isChanged ? cleaned : record;
};

const clean = (value: unknown): unknown => {
  if (Array.isArray(value)) return cleanList(value);
  return isRecord(value) ? cleanRecord(value) : value;
};

/**
 * Plain JSON without its nulls, which say in JSON what a missing field says. What holds none comes back as the same
 * object; costs a walk over all of it.
 */
export const withoutNulls = <T>(json: T): T => clean(json) as T;
