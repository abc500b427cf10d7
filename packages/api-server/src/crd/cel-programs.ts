import { Environment } from '@marcbachmann/cel-js';
import { quantityValueOf } from '../quantity/quantity.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';

/** What an expression can read. */
export type CelVariables = Readonly<Record<string, unknown>>;

/** Evaluates CEL expressions, each compiled once. */
export interface CelPrograms {
  /** Why an expression is none; undefined when it compiles. */
  problemOf(expression: string): string | undefined;
  /** Throws what the evaluation throws. */
  evaluate(expression: string, variables: CelVariables): unknown;
}

type Program = (variables: CelVariables) => unknown;

/** The first line of what CEL throws: the rest draws the place in the expression. */
export const celErrorText = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));

export const createCelPrograms = (): CelPrograms => {
  const environment = createCelEnvironment();
  const compiled = new Map<string, Program>();
  const programOf = (expression: string): Program => {
    const program = compiled.get(expression) ?? environment.parse(withStrictInt(expression));
    compiled.set(expression, program);
    return program;
  };
  return {
    problemOf: (expression) => {
      try {
        programOf(expression);
        return undefined;
      } catch (error) {
        return celErrorText(error);
      }
    },
    evaluate: (expression, variables) => programOf(expression)(variables),
  };
};

/** A `quantity(...)` value of the Kubernetes CEL library. */
class CelQuantity {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

const quantityOf = (text: string): CelQuantity => {
  const parsed = quantityValueOf(text);
  if (parsed === undefined) throw new Error(`quantity parse error: ${text}`);
  return new CelQuantity(parsed.nanos);
};

/** The whole number of a value. The library's own `int` takes an empty string for 0. */
const strictInt = (value: unknown): bigint => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(Math.trunc(value));
  if (typeof value === 'string' && /^[+-]?\d{1,19}$/.test(value)) return BigInt(value);
  throw new Error(`type conversion error from '${typeof value}' to 'int'`);
};

/** An expression whose calls of `int` are calls of our own; what stands in quotes is left alone. */
const withStrictInt = (expression: string): string =>
  expression.replace(
    /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<![\w.])int\(/g,
    (_call, quoted: string | undefined) => quoted ?? 'strictInt(',
  );

const compare = (a: unknown, b: unknown): number => {
  const [left, right] = [a as bigint, b as bigint];
  if (left < right) return -1;
  return left > right ? 1 : 0;
};

const most = (list: readonly unknown[], sign: number): unknown =>
  list.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best));

/** A CEL environment with what Kubernetes adds to the language, as far as CRDs of nodes and pools use it. */
export const createCelEnvironment = (): Environment =>
  new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false, enableOptionalTypes: true })
    .registerFunction('list.isSorted(): bool', (list: readonly unknown[]) =>
      list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
    )
    .registerFunction('list.sum(): dyn', (list: readonly bigint[]) => list.reduce((sum, item) => sum + item, 0n))
    .registerFunction('list.min(): dyn', (list: readonly unknown[]) => most(list, -1))
    .registerFunction('list.max(): dyn', (list: readonly unknown[]) => most(list, 1))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) => BigInt(list.indexOf(item)))
    .registerFunction('string.find(string): string', (text: string, pattern: string) => new RegExp(pattern).exec(text)?.[0] ?? '')
    .registerFunction('string.findAll(string): list', (text: string, pattern: string) =>
      [...text.matchAll(new RegExp(pattern, 'g'))].map(([found]) => found),
    )
    .registerFunction('strictInt(dyn): int', strictInt)
    .registerFunction('isURL(string): bool', (text: string) => URL.canParse(text))
    .registerType('kubernetes.Quantity', CelQuantity)
    .registerFunction('isQuantity(string): bool', (text: string) => quantityValueOf(text) !== undefined)
    .registerFunction('quantity(string): kubernetes.Quantity', quantityOf)
    .registerFunction('kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool', (a: CelQuantity, b: CelQuantity) => a.nanos > b.nanos)
    .registerFunction('kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool', (a: CelQuantity, b: CelQuantity) => a.nanos < b.nanos)
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: CelQuantity, b: CelQuantity) =>
      BigInt(compare(a.nanos, b.nanos)),
    )
    .registerFunction('kubernetes.Quantity.sign(): int', (a: CelQuantity) => BigInt(compare(a.nanos, 0n)));

/** A JSON value as CEL sees it: integers of the schema are int (BigInt), timestamps are dates. */
export const celValue = (value: JsonValue, schema: Schema | undefined): unknown => {
  if (typeof value === 'number') return isInteger(value, schema) ? BigInt(value) : value;
  if (typeof value === 'string') return schema?.format === 'date-time' ? new Date(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items));
  return isObject(value) ? celObject(value, schema) : value;
};

const isInteger = (value: number, schema: Schema | undefined): boolean =>
  Number.isInteger(value) && (schema?.type === 'integer' || schema?.type === undefined);

/** A `Map`: CEL would take a member called `constructor` for the sort of an object. */
const celObject = (value: JsonObject, schema: Schema | undefined): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined || member === null ? [] : [[name, celValue(member, schema && memberSchema(schema, name))] as const],
    ),
  );
