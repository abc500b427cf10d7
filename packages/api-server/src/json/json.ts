/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; a member that is `undefined` is absent. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** Whether a value is a JSON object (not an array, not null). */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object, or an empty one when it is something else. */
export const asRecord = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The value as a list, or an empty one when it is something else. */
export const jsonList = (value: unknown): JsonValue[] => (Array.isArray(value) ? (value as JsonValue[]) : []);

/** A JSON value as text: a string unchanged, anything else as JSON, nothing as the empty string. */
export const plainText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

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

/** Whether the status of an object has a condition that is True. */
export const conditionIs = (object: unknown, wanted: string): boolean =>
  objectsAt(object, 'status.conditions').some(({ type, status }) => type === wanted && status === 'True');

/** The object at a path, made when it is missing. */
export const objectIn = (object: JsonObject, member: string): JsonObject => {
  const known = object[member];
  if (isObject(known)) return known;
  const made: JsonObject = {};
  object[member] = made;
  return made;
};

/** Whether two JSON values say the same; the order of members does not matter, an undefined member is absent. */
export const jsonEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && listsEqual(a, b);
  return membersEqual(a as Record<string, unknown>, b as Record<string, unknown>);
};

const listsEqual = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));

const membersEqual = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean => {
  for (const name in a) if (!jsonEqual(a[name], b[name])) return false;
  for (const name in b) if (b[name] !== undefined && a[name] === undefined) return false;
  return true;
};

/** Freezes a JSON value in depth. Parts that are frozen already are not entered, so the cost is that of what is new. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
};

/** A mutable copy in depth of a JSON value. */
export const thaw = <T>(value: T): T => copy(value) as T;

const copy = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) result[name] = copy(member);
  return result;
};
