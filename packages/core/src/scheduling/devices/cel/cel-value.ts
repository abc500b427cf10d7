import { CelError } from './cel-error.ts';

/** A `quantity(...)` of the Kubernetes library. */
export class CelQuantity {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
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
  const [, major = '0', minor = '0', patch = '0', prerelease] = match;
  return new CelSemver([BigInt(major), BigInt(minor), BigInt(patch)], prerelease === undefined ? [] : prerelease.split('.'));
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
    const result = order(each, b.numbers[index] ?? 0n);
    if (result !== 0) return result;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
};

export const isCelList = (value: CelValue): value is CelList => Array.isArray(value);

export const isCelMap = (value: CelValue): value is CelMap =>
  typeof value === 'object' && value !== null && 'keys' in value && !isCelList(value);

const isNumber = (value: CelValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

const listsEqual = (a: CelList, b: CelList): boolean =>
  a.length === b.length && a.every((each, index) => celEquals(each, b[index] ?? null));

const mapsEqual = (a: CelMap, b: CelMap): boolean =>
  a.size === b.size && [...a.keys()].every((key) => b.has(key) && celEquals(a.get(key) ?? null, b.get(key) ?? null));

/** Numbers are equal when neither is less; `===` says that 1n and 1 differ. */
const numbersEqual = (a: number | bigint, b: number | bigint): boolean => !(a < b) && !(a > b) && !Number.isNaN(Number(a));

/** Whether two quantities or two versions are equal; undefined for other values. */
const objectsEqual = (a: CelValue, b: CelValue): boolean | undefined => {
  if (a instanceof CelQuantity && b instanceof CelQuantity) return a.nanos === b.nanos;
  return a instanceof CelSemver && b instanceof CelSemver ? compareSemvers(a, b) === 0 : undefined;
};

/** Whether two values are equal; values of different sorts are not, but numbers are compared as numbers. */
export const celEquals = (a: CelValue, b: CelValue): boolean => {
  if (isNumber(a) && isNumber(b)) return numbersEqual(a, b);
  if (isCelList(a) && isCelList(b)) return listsEqual(a, b);
  if (isCelMap(a) && isCelMap(b)) return mapsEqual(a, b);
  return objectsEqual(a, b) ?? a === b;
};

/** The order of two values of one sort; undefined where they have none. */
const orderOf = (a: CelValue, b: CelValue): number | undefined => {
  if (typeof a === 'string' && typeof b === 'string') return order(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return order(a, b);
  if (a instanceof CelQuantity && b instanceof CelQuantity) return order(a.nanos, b.nanos);
  return undefined;
};

/** Negative: `a` is less. Throws a `CelError` for values that have no order. */
export const celCompare = (a: CelValue, b: CelValue): number => {
  if (isNumber(a) && isNumber(b)) return order(a, b);
  if (a instanceof CelSemver && b instanceof CelSemver) return compareSemvers(a, b);
  const found = orderOf(a, b);
  if (found === undefined) throw new CelError(`no such overload: ${sortOf(a)} compared with ${sortOf(b)}`);
  return found;
};

const SORTS: readonly (readonly [name: string, is: (value: CelValue) => boolean])[] = [
  ['null', (value) => value === null],
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

/** A map with these entries; a key that is not there has no value. */
export const celMapOf = (entries: readonly (readonly [CelValue, CelValue])[]): CelMap => {
  const find = (key: CelValue): CelValue | undefined => entries.find(([each]) => celEquals(each, key))?.[1];
  return { get: find, has: (key) => find(key) !== undefined, keys: () => entries.map(([key]) => key), size: entries.length };
};
