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
