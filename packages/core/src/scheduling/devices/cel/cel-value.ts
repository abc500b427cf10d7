import { itemAt } from '../../../base/index.ts';

const NANOS = 1_000_000_000n;
const LARGEST_INT = 2n ** 63n - 1n;

/** Why an expression cannot be read or evaluated. Caught where selectors are evaluated; it never leaves that. */
export class CelError extends Error {
  override readonly name: string = 'CelError';
}

/** A `quantity(...)` of the Kubernetes library. */
export class CelQuantity {
  readonly nanos: bigint;
  /** Whether Kubernetes can read it as an int. That depends on how it is written: of 1000m and 7Ei it says no. */
  readonly isInteger: boolean;
  constructor(nanos: bigint, isInteger = true) {
    this.nanos = nanos;
    const value = nanos / NANOS;
    this.isInteger = isInteger && nanos % NANOS === 0n && value < LARGEST_INT && value > -LARGEST_INT;
  }
}

/** A `semver(...)` of the Kubernetes library. */
export class CelSemver {
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];
  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
}

/** A value that may be missing. */
export class CelOptional {
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** What a lookup of an absent key answers, as the maps of a device do for domains that it has nothing of. */
export interface CelMap {
  readonly get: (key: CelValue) => CelValue | undefined;
  readonly has: (key: CelValue) => boolean;
  readonly keys: () => Iterable<CelValue>;
  readonly size: number;
}

/** A value of an expression. Ints are bigints, doubles numbers. */
export type CelValue = string | bigint | number | boolean | null | CelQuantity | CelSemver | CelOptional | CelMap | CelList;

/** A list of values. */
export type CelList = readonly CelValue[];

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
const NUMBER = /^\d+$/;
const ZEROS_FIRST = /^0\d+$/;
const LOOSE = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/;

/** With `v` and leading zeros removed, and missing numbers as zeros. */
const normalized = (text: string): string => {
  const [numbers = text, major = '0', minor = '0', patch = '0'] = LOOSE.exec(text) ?? [];
  const rest = text.slice(numbers.length);
  return LOOSE.test(text) ? `${BigInt(major)}.${BigInt(minor)}.${BigInt(patch)}${rest}` : text;
};

/** The version that the text says, by the rules of semver.org; undefined when it says none. */
export const parseSemver = (text: string, isNormalized = false): CelSemver | undefined => {
  const match = SEMVER.exec(isNormalized ? normalized(text) : text);
  if (match === null) return undefined;
  const [, major = '0', minor = '0', patch = '0', written] = match;
  const prerelease = written?.split('.') ?? [];
  if (prerelease.some((part) => ZEROS_FIRST.test(part))) return undefined;
  return new CelSemver([BigInt(major), BigInt(minor), BigInt(patch)], prerelease);
};

const order = <T>(a: T, b: T): number => (a < b ? -1 : Number(a > b));

const compareIdentifiers = (a: string, b: string): number => {
  const [isNumberA, isNumberB] = [NUMBER.test(a), NUMBER.test(b)];
  if (isNumberA && isNumberB) return order(BigInt(a), BigInt(b));
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return order(a, b);
};

const comparePrereleases = (a: readonly string[], b: readonly string[]): number => {
  if (a.length === 0 || b.length === 0) return order(Number(a.length === 0), Number(b.length === 0));
  for (const [index, each] of a.entries()) {
    const other = b[index];
    const result = other === undefined ? 1 : compareIdentifiers(each, other);
    if (result !== 0) return result;
  }
  return order(a.length, b.length);
};

/** Negative: the first version is older. */
const compareSemvers = (a: CelSemver, b: CelSemver): number => {
  for (const [index, each] of a.numbers.entries()) {
    const result = order(each, itemAt(b.numbers, index));
    if (result !== 0) return result;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
};

export const isCelList = (value: CelValue): value is CelList => Array.isArray(value);

export const isCelMap = (value: CelValue): value is CelMap =>
  typeof value === 'object' && value !== null && 'keys' in value && !isCelList(value);

const isNumber = (value: CelValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** Optionals are equal when both have none, or equal values. */
const optionalsEqual = (a: CelOptional, b: CelOptional): boolean =>
  a.value === undefined || b.value === undefined ? a.value === b.value : celEquals(a.value, b.value);

const listsEqual = (a: CelList, b: CelList): boolean =>
  a.length === b.length && a.every((each, index) => celEquals(each, b[index] ?? null));

const mapsEqual = (a: CelMap, b: CelMap): boolean =>
  a.size === b.size && [...a.keys()].every((key) => b.has(key) && celEquals(a.get(key) ?? null, b.get(key) ?? null));

/** An int and a double are compared as doubles. */
const numberOrder = (a: number | bigint, b: number | bigint): number => (typeof a === typeof b ? order(a, b) : order(Number(a), Number(b)));

const numbersEqual = (a: number | bigint, b: number | bigint): boolean => (typeof a === typeof b ? a === b : Number(a) === Number(b));

const isUnordered = (value: number | bigint): boolean => typeof value === 'number' && Number.isNaN(value);

/**
 * Whether two optionals, quantities or versions are equal; undefined for other values. Throws a `CelError` as
 * Kubernetes does for another sort.
 */
const objectsEqual = (a: CelValue, b: CelValue): boolean | undefined => {
  if (a instanceof CelOptional && b instanceof CelOptional) return optionalsEqual(a, b);
  if (a instanceof CelQuantity && b instanceof CelQuantity) return a.nanos === b.nanos;
  if (a instanceof CelSemver && b instanceof CelSemver) return compareSemvers(a, b) === 0;
  if (b === null || !(a instanceof CelQuantity || a instanceof CelSemver)) return undefined;
  throw new CelError(`no such overload: ${sortOf(a)} == ${sortOf(b)}`);
};

/**
 * Whether two values are equal. Values of different sorts are not, but numbers are compared as numbers. Throws a
 * `CelError` as CEL does.
 */
export const celEquals = (a: CelValue, b: CelValue): boolean => {
  if (isNumber(a) && isNumber(b)) return numbersEqual(a, b);
  if (isCelList(a) && isCelList(b)) return listsEqual(a, b);
  if (isCelMap(a) && isCelMap(b)) return mapsEqual(a, b);
  return objectsEqual(a, b) ?? a === b;
};

/** Negative: `a` is before `b`, by code points. */
const orderOfTexts = (a: string, b: string): number => {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, each] of left.entries()) {
    const other = right[index];
    if (other !== each) return other === undefined ? 1 : order(Number(each.codePointAt(0)), Number(other.codePointAt(0)));
  }
  return order(left.length, right.length);
};

/** The order of two values of one sort; undefined where they have none. */
const orderOf = (a: CelValue, b: CelValue): number | undefined => {
  if (typeof a === 'string' && typeof b === 'string') return orderOfTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return order(a, b);
  if (a instanceof CelQuantity && b instanceof CelQuantity) return order(a.nanos, b.nanos);
  return undefined;
};

/** Negative: `a` is less. Throws a `CelError` for values that have no order. */
export const celCompare = (a: CelValue, b: CelValue): number => {
  if (isNumber(a) && isNumber(b)) {
    if (isUnordered(a) || isUnordered(b)) throw new CelError('NaN values cannot be ordered');
    return numberOrder(a, b);
  }
  if (a instanceof CelSemver && b instanceof CelSemver) return compareSemvers(a, b);
  const found = orderOf(a, b);
  if (found === undefined) throw new CelError(`no such overload: ${sortOf(a)} compared with ${sortOf(b)}`);
  return found;
};

const SORTS: readonly (readonly [name: string, is: (value: CelValue) => boolean])[] = [
  ['null_type', (value) => value === null],
  ['quantity', (value) => value instanceof CelQuantity],
  ['semver', (value) => value instanceof CelSemver],
  ['optional', (value) => value instanceof CelOptional],
  ['list', isCelList],
  ['int', (value) => typeof value === 'bigint'],
  ['double', (value) => typeof value === 'number'],
  ['bool', (value) => typeof value === 'boolean'],
  ['string', (value) => typeof value === 'string'],
];

/** The name of the value's type, as CEL has it. */
export const sortOf = (value: CelValue): string => SORTS.find(([, is]) => is(value))?.[0] ?? 'map';

/** Equal keys have equal texts. Throws a `CelError` for what cannot be a key. */
const keyText = (key: CelValue): string => {
  if (typeof key === 'bigint') return `int ${key}`;
  if (typeof key === 'number' && Number.isInteger(key)) return `int ${BigInt(key)}`;
  if (typeof key === 'object') throw new CelError(`unsupported key type: ${sortOf(key)}`);
  return `${sortOf(key)} ${String(key)}`;
};

/** A map with these entries, of equal keys the last; a key that is not there has no value. */
export const celMapOf = (entries: readonly (readonly [CelValue, CelValue])[]): CelMap => {
  const byText = new Map(entries.map((entry) => [keyText(entry[0]), entry] as const));
  // Most keys are strings, which need no text.
  const ofStrings = new Map(entries);
  const find = (key: CelValue): CelValue | undefined => (typeof key === 'string' ? ofStrings.get(key) : byText.get(keyText(key))?.[1]);
  return {
    get: find,
    has: (key) => find(key) !== undefined,
    keys: () => [...byText.values()].map(([key]) => key),
    size: byText.size,
  };
};
