import { jsonEqual, jsonList, type JsonObject, numberAt, objectsAt, textAt, valueAt } from '../json/json.ts';
import { duplicate, type FieldError, invalidValue, memberPath, requiredAt, unsupported } from '../status/field-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { nameProblems, qualifiedKeyProblems } from './names.ts';

/** What is wrong with one member of an object; `at` is the member's path. */
export type Check = (object: JsonObject, member: string, at: string) => readonly FieldError[];

/** Checks of members, by name. An object is right when every check of each of its members passes. */
export type FieldChecks = Readonly<Record<string, readonly Check[]>>;

/** What is wrong with an object under checks; `at` is its path. */
export const errorsOf = (object: JsonObject, checks: FieldChecks, at: string): readonly FieldError[] =>
  Object.entries(checks).flatMap(([member, list]) => list.flatMap((check) => check(object, member, memberPath(at, member))));

/** Says of each text whether it came before. */
export const repeatFinder = (): ((text: string) => boolean) => {
  const seen = new Set<string>();
  return (text) => seen.size === seen.add(text).size;
};

/** The error of an update that changes a field. */
export const unchanged =
  (field: string) =>
  (next: JsonObject, previous: StoredObject): readonly FieldError[] =>
    jsonEqual(valueAt(next, field), valueAt(previous, field)) ? [] : [invalidValue(field, valueAt(next, field), 'field is immutable')];

/** There is a text, a list or an object. */
export const present =
  (detail = ''): Check =>
  (object, member, at) => {
    const value = object[member];
    const isMissing = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    return isMissing ? [requiredAt(at, detail)] : [];
  };

/** The text is one of a list. A missing text counts as an empty one. */
export const isOneOf =
  (...supported: readonly string[]): Check =>
  (object, member, at) => {
    const value = textAt(object, member);
    return supported.includes(value) ? [] : [unsupported(at, value, supported)];
  };

/** The text is one of a list, or missing. */
export const ifGiven =
  (check: Check): Check =>
  (object, member, at) =>
    object[member] === undefined ? [] : check(object, member, at);

/** The text is missing or empty, or passes. */
export const ifWritten =
  (check: Check): Check =>
  (object, member, at) =>
    textAt(object, member) === '' ? [] : check(object, member, at);

/** The text follows a rule of names. */
export const validName =
  (rule: Parameters<typeof nameProblems>[1]): Check =>
  (object, member, at) => {
    const name = textAt(object, member);
    return nameProblems(name, rule).map((words) => invalidValue(at, name, words));
  };

/** The text is a label key: an optional DNS subdomain and a name. */
export const labelKey: Check = (object, member, at) => {
  const key = textAt(object, member);
  return qualifiedKeyProblems(key).map((words) => invalidValue(at, key, words));
};

/** The number lies within bounds; a missing one counts as 0. */
export const inBounds =
  (least: number, most: number, words: string): Check =>
  (object, member, at) => {
    const value = numberAt(object, member);
    return value >= least && value <= most ? [] : [invalidValue(at, value, words)];
  };

/** The number is greater than 0. */
export const positive = inBounds(1, Number.POSITIVE_INFINITY, 'must be greater than zero');

/** The number is not negative. */
export const countable = inBounds(0, Number.POSITIVE_INFINITY, 'must be greater than or equal to 0');

/** The texts of a list are each one of some. All errors name the list. */
export const eachOneOf =
  (...supported: readonly string[]): Check =>
  (object, member, at) =>
    jsonList(object[member]).flatMap((value) =>
      typeof value === 'string' && !supported.includes(value) ? [unsupported(at, value, supported)] : [],
    );

/** No two objects of the list have the same text in a member. */
export const uniqueBy =
  (key: string): Check =>
  (object, member, at) => {
    const isRepeated = repeatFinder();
    return objectsAt(object, member).flatMap((one, index) => {
      const name = textAt(one, key);
      return name !== '' && isRepeated(name) ? [duplicate(`${at}[${index}].${key}`, name)] : [];
    });
  };

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A count that is not negative, or a percentage. */
export const percentOrCount: Check = (object, member, at) => {
  const value = object[member];
  if (typeof value === 'number') return value < 0 ? [invalidValue(at, value, 'must be greater than or equal to 0')] : [];
  return typeof value !== 'string' || /^\d+%$/.test(value) ? [] : [invalidValue(at, value, PERCENT)];
};

/** The same, but at most 100 %. */
export const percentOfAllOrCount: Check = (object, member, at) => {
  const wrong = percentOrCount(object, member, at);
  const value = object[member];
  const isTooMuch = wrong.length === 0 && typeof value === 'string' && Number.parseInt(value, 10) > 100;
  return isTooMuch ? [invalidValue(at, value, 'must not be greater than 100%')] : wrong;
};
