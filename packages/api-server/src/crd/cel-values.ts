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

/** A `Map`: CEL would take a member called `constructor` for the sort of an object. */
const celObject = (value: JsonObject, schema: Schema | undefined): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined || member === null ? [] : [[name, celValue(member, schema && memberSchema(schema, name))] as const],
    ),
  );
