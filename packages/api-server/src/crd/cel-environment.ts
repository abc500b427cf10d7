import { Environment } from '@marcbachmann/cel-js';
import { quantityValueOf } from '../quantity/quantity.ts';

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
export const withStrictInt = (expression: string): string =>
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
