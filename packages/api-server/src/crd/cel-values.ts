import type { JsonObject, JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { memberSchema } from '../schema/schema.ts';

/** A JSON value as CEL sees it: integers of the schema are int (BigInt), timestamps are dates. */
export const celValue = (value: JsonValue, schema: Schema | undefined): unknown => {
  if (typeof value === 'number') return isInteger(value, schema) ? BigInt(value) : value;
  if (typeof value === 'string') return schema?.format === 'date-time' ? new Date(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items));
  return isObject(value) ? celObject(value, schema) : value;
};

const isInteger = (value: number, schema: Schema | undefined): boolean =>
  Number.isInteger(value) && (schema?.type === 'integer' || schema?.type === undefined);

const celObject = (value: JsonObject, schema: Schema | undefined): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined && member !== null)
      result[name] = celValue(member, schema === undefined ? undefined : memberSchema(schema, name));
  }
  return result;
};
