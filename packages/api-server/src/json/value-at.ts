import type { JsonObject, JsonValue } from './json.ts';
import { jsonList, asRecord, isObject } from './json.ts';

/** The value at a dotted path of object members, or undefined. */
export const valueAt = (object: unknown, path: string): JsonValue | undefined => {
  let value: unknown = object;
  for (const member of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = value[member];
  }
  return value as JsonValue | undefined;
};

/** The string at a path; empty when there is none. */
export const textAt = (object: unknown, path: string): string => {
  const value = valueAt(object, path);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

/** The number at a path; 0 when there is none. */
export const numberAt = (object: unknown, path: string): number => {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
};

/** The objects of the list at a path. */
export const objectsAt = (object: unknown, path: string): readonly JsonObject[] => jsonList(valueAt(object, path)).map(asRecord);

/** The object at a path, made when it is missing. */
export const objectIn = (object: JsonObject, member: string): JsonObject => {
  const known = object[member];
  if (isObject(known)) return known;
  const made: JsonObject = {};
  object[member] = made;
  return made;
};
