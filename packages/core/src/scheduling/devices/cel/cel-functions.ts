import { itemAt } from '../../../base/index.ts';
import { parseQuantity } from '../../../kube/index.ts';
import { celBinary } from './cel-arithmetic.ts';
import { celArgumentAt, celStrings, celTextAt } from './cel-strings.ts';
import type { CelFunction } from './cel-strings.ts';
import {
  CelError,
  celCompare,
  celEquals,
  CelOptional,
  CelQuantity,
  CelSemver,
  isCelList,
  isCelMap,
  parseSemver,
  sortOf,
} from './cel-value.ts';
import type { CelList, CelValue } from './cel-value.ts';

const NANOS = 1_000_000_000n;
const INT = /^[+-]?\d{1,19}$/;

const quantityAt = (args: readonly CelValue[], index: number): CelQuantity => {
  const value = celArgumentAt(args, index);
  if (typeof value === 'bigint') return new CelQuantity(value * NANOS);
  if (!(value instanceof CelQuantity)) throw new CelError(`no such overload: a quantity was expected instead of ${sortOf(value)}`);
  return value;
};

const semverAt = (args: readonly CelValue[], index: number): CelSemver => {
  const value = celArgumentAt(args, index);
  if (!(value instanceof CelSemver)) throw new CelError(`no such overload: a semver was expected instead of ${sortOf(value)}`);
  return value;
};

const WRITTEN = /^[+-]?(\d*)(?:\.(\d*))?(?:(m|u|n|[kMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/**
 * Whether Kubernetes holds a quantity that is written so as an int: with few enough digits, and none below one. Source:
 * apimachinery, `ParseQuantity`.
 */
const isWrittenAsInt = (text: string): boolean => {
  const [, zeros = '', part = '', suffix = '', exponent] = WRITTEN.exec(text) ?? [];
  const whole = zeros.replace(/^0+/, '');
  const binary = BINARY.indexOf(suffix) + 1;
  if (binary > 0) return part === '' && !text.includes('.') && whole.length + 3 * binary <= 14;
  const scale = exponent === undefined ? 3 * DECIMAL.indexOf(suffix) : Number(exponent);
  return scale >= part.length && whole.length + part.length <= 18;
};

const quantityOf = (text: string): CelQuantity => {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new CelError(`${JSON.stringify(text)} is no quantity`);
  return new CelQuantity(parsed.nanos, isWrittenAsInt(text));
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

const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const ENDLESS = /^([+-]?)inf(?:inity)?$/i;

const doubleOf = (value: CelValue): number => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && DOUBLE.test(value)) return Number(value);
  if (typeof value === 'string' && ENDLESS.test(value)) return value.startsWith('-') ? -Infinity : Infinity;
  if (typeof value === 'string' && value.toLowerCase() === 'nan') return Number.NaN;
  throw new CelError(`no such overload: double of ${sortOf(value)}`);
};

/** Exponents as Go writes them: with a sign and two digits, below -4 and above 5. */
const textOfDouble = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const sign = Object.is(value, -0) ? '-' : '';
  if (Number(exponent) >= -4 && Number(exponent) < 6) return `${sign}${String(value)}`;
  return `${digits}e${exponent.startsWith('-') ? '-' : '+'}${exponent.slice(1).padStart(2, '0')}`;
};

const stringOf = (value: CelValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return textOfDouble(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new CelError(`no such overload: string of ${sortOf(value)}`);
};

const BOOLEANS: ReadonlyMap<CelValue, boolean> = new Map<CelValue, boolean>([
  ...[true, '1', 't', 'T', 'true', 'TRUE', 'True'].map((each) => [each, true] as const),
  ...[false, '0', 'f', 'F', 'false', 'FALSE', 'False'].map((each) => [each, false] as const),
]);

const boolOf = (value: CelValue): boolean => {
  const known = BOOLEANS.get(value);
  if (known === undefined) throw new CelError(`no such overload: bool of ${sortOf(value)}`);
  return known;
};

/** Less, equal and greater of quantities, versions, and whatever else has an order. */
const compared =
  (isSo: (order: number) => CelValue): CelFunction =>
  (args) =>
    isSo(celCompare(celArgumentAt(args, 0), celArgumentAt(args, 1)));

const isOfOptional = (value: CelValue): CelOptional => {
  if (!(value instanceof CelOptional)) throw new CelError(`no such overload: an optional was expected instead of ${sortOf(value)}`);
  return value;
};

const valueOf = (value: CelValue): CelValue => {
  const { value: inner } = isOfOptional(value);
  if (inner === undefined) throw new CelError('an optional without a value is read');
  return inner;
};

const intOfQuantity = ({ nanos, isInteger }: CelQuantity): bigint => {
  if (!isInteger) throw new CelError('cannot convert value to integer');
  return nanos / NANOS;
};

const negated = ({ nanos, isInteger }: CelQuantity): CelQuantity => new CelQuantity(-nanos, isInteger);

const sumOf = (a: CelQuantity, b: CelQuantity): CelQuantity => {
  if (b.nanos === 0n) return a;
  return a.nanos === 0n ? b : new CelQuantity(a.nanos + b.nanos, a.isInteger && b.isInteger);
};

const quantities: Readonly<Record<string, CelFunction>> = {
  quantity: (args) => quantityOf(celTextAt(args, 0)),
  isQuantity: (args) => parseQuantity(celTextAt(args, 0)) !== undefined,
  isInteger: (args) => quantityAt(args, 0).isInteger,
  asInteger: (args) => intOfQuantity(quantityAt(args, 0)),
  asApproximateFloat: (args) => Number(quantityAt(args, 0).nanos) / Number(NANOS),
  sign: (args) => BigInt(celCompare(quantityAt(args, 0), new CelQuantity(0n))),
  add: (args) => sumOf(quantityAt(args, 0), quantityAt(args, 1)),
  sub: (args) => sumOf(quantityAt(args, 0), negated(quantityAt(args, 1))),
};

const versions: Readonly<Record<string, CelFunction>> = {
  semver: (args) => semverOf(celTextAt(args, 0), args[1] === true),
  isSemver: (args) => parseSemver(celTextAt(args, 0), args[1] === true) !== undefined,
  major: (args) => itemAt(semverAt(args, 0).numbers, 0),
  minor: (args) => itemAt(semverAt(args, 0).numbers, 1),
  patch: (args) => itemAt(semverAt(args, 0).numbers, 2),
};

const optionals: Readonly<Record<string, CelFunction>> = {
  orValue: (args) => isOfOptional(celArgumentAt(args, 0)).value ?? celArgumentAt(args, 1),
  or: (args) => (isOfOptional(celArgumentAt(args, 0)).value === undefined ? celArgumentAt(args, 1) : celArgumentAt(args, 0)),
  hasValue: (args) => isOfOptional(celArgumentAt(args, 0)).value !== undefined,
  value: (args) => valueOf(celArgumentAt(args, 0)),
};

const membership: CelFunction = (args) => {
  const [item, within] = [celArgumentAt(args, 0), celArgumentAt(args, 1)];
  if (isCelList(within)) return within.some((each) => celEquals(item, each));
  if (isCelMap(within)) return within.has(item);
  throw new CelError(`no such overload: in ${sortOf(within)}`);
};

const isIn = (list: CelValue, item: CelValue): boolean => isCelList(list) && list.some((each) => celEquals(item, each));

const all = (list: CelValue, is: (item: CelValue) => boolean): boolean => isCelList(list) && list.every(is);

/** Functions of the `sets` library. */
const sets: Readonly<Record<string, CelFunction>> = {
  'sets.contains': (args) => all(celArgumentAt(args, 1), (item) => isIn(celArgumentAt(args, 0), item)),
  'sets.intersects': (args) => !all(celArgumentAt(args, 1), (item) => !isIn(celArgumentAt(args, 0), item)),
  'sets.equivalent': (args) =>
    all(celArgumentAt(args, 1), (item) => isIn(celArgumentAt(args, 0), item)) &&
    all(celArgumentAt(args, 0), (item) => isIn(celArgumentAt(args, 1), item)),
};

/** Whether it is the empty value of its sort. */
const isZero = (value: CelValue): boolean => {
  if (isCelList(value)) return value.length === 0;
  if (isCelMap(value)) return value.size === 0;
  return value === null || value === '' || value === false || (typeof value !== 'string' && Number(value) === 0);
};

/** The list that a function is about. Throws a `CelError` for anything else. */
const listOf = (args: readonly CelValue[]): CelList => {
  const value = celArgumentAt(args, 0);
  if (!isCelList(value)) throw new CelError(`no such overload: a list was expected instead of ${sortOf(value)}`);
  return value;
};

/** The first of the items by the order. Throws a `CelError` where there is none. */
const firstBy = (args: readonly CelValue[], order: (a: CelValue, b: CelValue) => number): CelValue => {
  const [first, ...others] = listOf(args);
  if (first === undefined) throw new CelError('min or max of an empty list');
  return others.reduce((best, each) => (order(each, best) < 0 ? each : best), first);
};

const isSorted: CelFunction = (args) =>
  listOf(args).every((each, index, all) => index === 0 || celCompare(all[index - 1] ?? null, each) <= 0);

const slice: CelFunction = (args) => {
  const list = listOf(args);
  const [from, to] = [celArgumentAt(args, 1), celArgumentAt(args, 2)];
  if (typeof from !== 'bigint' || typeof to !== 'bigint') throw new CelError('no such overload: slice needs two ints');
  if (from < 0n || to < from || to > BigInt(list.length)) throw new CelError(`cannot slice(${from}, ${to}), list is length ${list.length}`);
  return list.slice(Number(from), Number(to));
};

/** A function of lists where the first argument is one, else of texts. */
const ofListOr = (name: string, find: (list: CelList, item: CelValue) => number): CelFunction => {
  const ofText = celStrings[name];
  return (args, work) => {
    const first = celArgumentAt(args, 0);
    if (!isCelList(first) && ofText !== undefined) return ofText(args, work);
    return BigInt(find(listOf(args), celArgumentAt(args, 1)));
  };
};

/** Functions about lists. Source: Kubernetes' CEL libraries for lists, and cel-go's. */
const lists: Readonly<Record<string, CelFunction>> = {
  sum: (args) => listOf(args).reduce((sum, each) => celBinary('+', sum, each), typeof listOf(args)[0] === 'number' ? 0 : 0n),
  min: (args) => firstBy(args, celCompare),
  max: (args) => firstBy(args, (a, b) => celCompare(b, a)),
  isSorted,
  slice,
  sort: (args) => [...listOf(args)].sort(celCompare),
  reverse: (args) => [...listOf(args)].reverse(),
  first: (args) => new CelOptional(listOf(args)[0]),
  last: (args) => new CelOptional(listOf(args).at(-1)),
  indexOf: ofListOr('indexOf', (list, item) => list.findIndex((each) => celEquals(each, item))),
  lastIndexOf: ofListOr('lastIndexOf', (list, item) => list.findLastIndex((each) => celEquals(each, item))),
};

/** Every function by its name; those that need their arguments unevaluated are in the evaluator. */
export const celFunctions: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>(
  Object.entries({
    ...celStrings,
    ...quantities,
    ...versions,
    ...optionals,
    ...sets,
    ...lists,
    in: membership,
    size: (args: readonly CelValue[]) => sizeOf(celArgumentAt(args, 0)),
    int: (args: readonly CelValue[]) => intOf(celArgumentAt(args, 0)),
    double: (args: readonly CelValue[]) => doubleOf(celArgumentAt(args, 0)),
    string: (args: readonly CelValue[]) => stringOf(celArgumentAt(args, 0)),
    bool: (args: readonly CelValue[]) => boolOf(celArgumentAt(args, 0)),
    dyn: (args: readonly CelValue[]) => celArgumentAt(args, 0),
    type: (args: readonly CelValue[]) => sortOf(celArgumentAt(args, 0)),
    compareTo: compared((order) => BigInt(order)),
    isLessThan: compared((order) => order < 0),
    isGreaterThan: compared((order) => order > 0),
    'optional.of': (args: readonly CelValue[]) => new CelOptional(celArgumentAt(args, 0)),
    'optional.ofNonZeroValue': (args: readonly CelValue[]) =>
      new CelOptional(isZero(celArgumentAt(args, 0)) ? undefined : celArgumentAt(args, 0)),
    'optional.none': () => new CelOptional(undefined),
  }),
);
