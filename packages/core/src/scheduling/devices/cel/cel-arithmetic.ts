import { CelError, celCompare, celEquals, CelQuantity, CelSemver, isCelList, sortOf } from './cel-value.ts';
import type { CelValue } from './cel-value.ts';

const LARGEST = 2n ** 63n - 1n;

const bounded = (value: bigint): bigint => {
  if (value > LARGEST || value < -LARGEST - 1n) throw new CelError('an integer overflows');
  return value;
};

const divisor = (value: bigint): bigint => {
  if (value === 0n) throw new CelError('a number is divided by zero');
  return value;
};

type Calculation<T> = (a: T, b: T) => T;

const ofInts: ReadonlyMap<string, Calculation<bigint>> = new Map<string, Calculation<bigint>>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / divisor(b)],
  // As the quotient, which overflows where the least int is divided by -1.
  ['%', (a, b) => a - bounded(a / divisor(b)) * b],
]);

const ofDoubles: ReadonlyMap<string, Calculation<number>> = new Map<string, Calculation<number>>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
]);

const joined = (a: CelValue, b: CelValue): CelValue | undefined => {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  return isCelList(a) && isCelList(b) ? [...a, ...b] : undefined;
};

const calculated = (name: string, a: CelValue, b: CelValue): CelValue => {
  const sum = name === '+' ? joined(a, b) : undefined;
  if (sum !== undefined) return sum;
  const ints = ofInts.get(name);
  if (typeof a === 'bigint' && typeof b === 'bigint' && ints !== undefined) return bounded(ints(a, b));
  const doubles = ofDoubles.get(name);
  if (typeof a === 'number' && typeof b === 'number' && doubles !== undefined) return doubles(a, b);
  throw new CelError(`no such overload: ${sortOf(a)} ${name} ${sortOf(b)}`);
};

/** Whether `celEquals` has no answer for the second value. */
const isIncomparable = (a: CelValue, b: CelValue): boolean =>
  (a instanceof CelQuantity && !(b instanceof CelQuantity)) || (a instanceof CelSemver && !(b instanceof CelSemver));

/** Values that cannot be compared differ. Most are known without a failure, which takes a hundred times as long. */
const celDiffers = (a: CelValue, b: CelValue): boolean => {
  if (isIncomparable(a, b)) return true;
  try {
    return !celEquals(a, b);
  } catch (failure) {
    if (failure instanceof CelError) return true;
    throw failure;
  }
};

type Comparison = (a: CelValue, b: CelValue) => boolean;

const comparisons: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['==', celEquals],
  ['!=', celDiffers],
  ['<', (a, b) => celCompare(a, b) < 0],
  ['<=', (a, b) => celCompare(a, b) <= 0],
  ['>', (a, b) => celCompare(a, b) > 0],
  ['>=', (a, b) => celCompare(a, b) >= 0],
]);

/** What an operator makes of two values. Throws a `CelError` where it has no meaning for them. */
export const celBinary = (name: string, a: CelValue, b: CelValue): CelValue => {
  const comparison = comparisons.get(name);
  return comparison === undefined ? calculated(name, a, b) : comparison(a, b);
};

/** Whether `celBinary` knows the operator. */
export const isCelBinary = (name: string): boolean => comparisons.has(name) || ofInts.has(name);

/** What `!` or `-` makes of a value. */
export const celUnary = (name: string, value: CelValue): CelValue => {
  if (name === '!a' && typeof value === 'boolean') return !value;
  if (name === '-a' && typeof value === 'bigint') return bounded(-value);
  if (name === '-a' && typeof value === 'number') return -value;
  throw new CelError(`no such overload: ${name.slice(0, 1)}${sortOf(value)}`);
};
