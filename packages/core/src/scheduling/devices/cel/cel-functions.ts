import { parseQuantity } from '../../../kube/index.ts';
import { CelError } from './cel-error.ts';
import { regexOf } from './cel-regex.ts';
import { celCompare, celEquals, CelOptional, CelQuantity, CelSemver, isCelList, isCelMap, parseSemver, sortOf } from './cel-value.ts';
import type { CelValue } from './cel-value.ts';

/** A function of the language: the target comes first where there is one. */
type CelFunction = (args: readonly CelValue[]) => CelValue;

const NANOS = 1_000_000_000n;
const INT = /^[+-]?\d{1,19}$/;
const MOST_MATCHED = 1024;

const absent = (args: readonly CelValue[], index: number): CelValue => {
  const value = args[index];
  if (value === undefined) throw new CelError('no such overload: an argument is missing');
  return value;
};

const textAt = (args: readonly CelValue[], index: number): string => {
  const value = absent(args, index);
  if (typeof value !== 'string') throw new CelError(`no such overload: a string was expected instead of ${sortOf(value)}`);
  return value;
};

const quantityAt = (args: readonly CelValue[], index: number): CelQuantity => {
  const value = absent(args, index);
  if (typeof value === 'bigint') return new CelQuantity(value * NANOS);
  if (!(value instanceof CelQuantity)) throw new CelError(`no such overload: a quantity was expected instead of ${sortOf(value)}`);
  return value;
};

const semverAt = (args: readonly CelValue[], index: number): CelSemver => {
  const value = absent(args, index);
  if (!(value instanceof CelSemver)) throw new CelError(`no such overload: a semver was expected instead of ${sortOf(value)}`);
  return value;
};

const quantityOf = (text: string): CelQuantity => {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new CelError(`${JSON.stringify(text)} is no quantity`);
  return new CelQuantity(parsed.nanos);
};

const semverOf = (text: string, isNormalized: boolean): CelSemver => {
  const parsed = parseSemver(text, isNormalized);
  if (parsed === undefined) throw new CelError(`${JSON.stringify(text)} is no semantic version`);
  return parsed;
};

const sizeOf = (value: CelValue): bigint => {
  if (typeof value === 'string') return BigInt(Array.from(value).length);
  if (isCelList(value)) return BigInt(value.length);
  if (isCelMap(value)) return BigInt(value.size);
  throw new CelError(`no such overload: size of ${sortOf(value)}`);
};

const intOf = (value: CelValue): bigint => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Math.abs(value) < 2 ** 63) return BigInt(Math.trunc(value));
  if (typeof value === 'string' && INT.test(value)) return BigInt(value);
  throw new CelError(`no such overload: int of ${sortOf(value)}`);
};

const doubleOf = (value: CelValue): number => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  throw new CelError(`no such overload: double of ${sortOf(value)}`);
};

const stringOf = (value: CelValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new CelError(`no such overload: string of ${sortOf(value)}`);
};

const matches: CelFunction = (args) => {
  const text = textAt(args, 0);
  if (text.length > MOST_MATCHED) throw new CelError(`a text longer than ${MOST_MATCHED} characters is matched with a pattern`);
  return regexOf(textAt(args, 1)).test(text);
};

/** Less, equal and greater of quantities, versions, and whatever else has an order. */
const compared =
  (isSo: (order: number) => CelValue): CelFunction =>
  (args) =>
    isSo(celCompare(absent(args, 0), absent(args, 1)));

const isOfOptional = (value: CelValue): CelOptional => {
  if (!(value instanceof CelOptional)) throw new CelError(`no such overload: an optional was expected instead of ${sortOf(value)}`);
  return value;
};

const valueOf = (value: CelValue): CelValue => {
  const { value: inner } = isOfOptional(value);
  if (inner === undefined) throw new CelError('an optional without a value is read');
  return inner;
};

const strings: Readonly<Record<string, CelFunction>> = {
  startsWith: (args) => textAt(args, 0).startsWith(textAt(args, 1)),
  endsWith: (args) => textAt(args, 0).endsWith(textAt(args, 1)),
  contains: (args) => textAt(args, 0).includes(textAt(args, 1)),
  matches,
  lowerAscii: (args) => textAt(args, 0).replace(/[A-Z]/g, (each) => each.toLowerCase()),
  upperAscii: (args) => textAt(args, 0).replace(/[a-z]/g, (each) => each.toUpperCase()),
  trim: (args) => textAt(args, 0).trim(),
  split: (args) => textAt(args, 0).split(textAt(args, 1)),
  replace: (args) => textAt(args, 0).replaceAll(textAt(args, 1), () => textAt(args, 2)),
  substring: (args) => textAt(args, 0).slice(Number(intOf(absent(args, 1))), args[2] === undefined ? undefined : Number(intOf(args[2]))),
  indexOf: (args) => BigInt(textAt(args, 0).indexOf(textAt(args, 1))),
};

const quantities: Readonly<Record<string, CelFunction>> = {
  quantity: (args) => quantityOf(textAt(args, 0)),
  isQuantity: (args) => parseQuantity(textAt(args, 0)) !== undefined,
  isInteger: (args) => quantityAt(args, 0).nanos % NANOS === 0n,
  asInteger: (args) => quantityAt(args, 0).nanos / NANOS,
  asApproximateFloat: (args) => Number(quantityAt(args, 0).nanos) / Number(NANOS),
  sign: (args) => BigInt(celCompare(quantityAt(args, 0), new CelQuantity(0n))),
  add: (args) => new CelQuantity(quantityAt(args, 0).nanos + quantityAt(args, 1).nanos),
  sub: (args) => new CelQuantity(quantityAt(args, 0).nanos - quantityAt(args, 1).nanos),
};

const versions: Readonly<Record<string, CelFunction>> = {
  semver: (args) => semverOf(textAt(args, 0), args[1] === true),
  isSemver: (args) => parseSemver(textAt(args, 0), args[1] === true) !== undefined,
  major: (args) => semverAt(args, 0).numbers[0] ?? 0n,
  minor: (args) => semverAt(args, 0).numbers[1] ?? 0n,
  patch: (args) => semverAt(args, 0).numbers[2] ?? 0n,
};

const optionals: Readonly<Record<string, CelFunction>> = {
  orValue: (args) => isOfOptional(absent(args, 0)).value ?? absent(args, 1),
  or: (args) => (isOfOptional(absent(args, 0)).value === undefined ? absent(args, 1) : absent(args, 0)),
  hasValue: (args) => isOfOptional(absent(args, 0)).value !== undefined,
  value: (args) => valueOf(absent(args, 0)),
};

const membership: CelFunction = (args) => {
  const [item, within] = [absent(args, 0), absent(args, 1)];
  if (isCelList(within)) return within.some((each) => celEquals(each, item));
  if (isCelMap(within)) return within.has(item);
  throw new CelError(`no such overload: in ${sortOf(within)}`);
};

const isIn = (list: CelValue, item: CelValue): boolean => isCelList(list) && list.some((each) => celEquals(each, item));

const all = (list: CelValue, is: (item: CelValue) => boolean): boolean => isCelList(list) && list.every(is);

/** Functions of the `sets` library. */
const sets: Readonly<Record<string, CelFunction>> = {
  'sets.contains': (args) => all(absent(args, 1), (item) => isIn(absent(args, 0), item)),
  'sets.intersects': (args) => !all(absent(args, 1), (item) => !isIn(absent(args, 0), item)),
  'sets.equivalent': (args) =>
    all(absent(args, 1), (item) => isIn(absent(args, 0), item)) && all(absent(args, 0), (item) => isIn(absent(args, 1), item)),
};

/** Every function by its name; those that need their arguments unevaluated are in the evaluator. */
export const celFunctions: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>(
  Object.entries({
    ...strings,
    ...quantities,
    ...versions,
    ...optionals,
    ...sets,
    in: membership,
    size: (args: readonly CelValue[]) => sizeOf(absent(args, 0)),
    int: (args: readonly CelValue[]) => intOf(absent(args, 0)),
    uint: (args: readonly CelValue[]) => intOf(absent(args, 0)),
    double: (args: readonly CelValue[]) => doubleOf(absent(args, 0)),
    string: (args: readonly CelValue[]) => stringOf(absent(args, 0)),
    bool: (args: readonly CelValue[]) => absent(args, 0) === true || absent(args, 0) === 'true',
    dyn: (args: readonly CelValue[]) => absent(args, 0),
    type: (args: readonly CelValue[]) => sortOf(absent(args, 0)),
    compareTo: compared((order) => BigInt(order)),
    isLessThan: compared((order) => order < 0),
    isGreaterThan: compared((order) => order > 0),
    'optional.of': (args: readonly CelValue[]) => new CelOptional(absent(args, 0)),
    'optional.none': () => new CelOptional(undefined),
  }),
);
