import { isObject, type JsonObject, type JsonValue, thaw } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';

/** Fills in the defaults of a schema, in place. A null where null is not allowed counts as missing. */
export const applyDefaults = (value: JsonValue | undefined, schema: Schema): void => {
  if (Array.isArray(value)) defaultItems(value, schema);
  else if (isObject(value)) defaultMembers(value, schema);
};

const defaultItems = (items: readonly JsonValue[], schema: Schema): void => {
  if (schema.items !== undefined) for (const item of items) applyDefaults(item, schema.items);
};

const defaultMembers = (value: JsonObject, schema: Schema): void => {
  const { properties = {} } = schema;
  for (const [name, member] of Object.entries(properties)) {
    if (value[name] === null && member.nullable !== true) Reflect.deleteProperty(value, name);
    if (value[name] === undefined && member.default !== undefined) value[name] = thaw(member.default);
    applyDefaults(value[name], member);
  }
  if (typeof schema.additionalProperties === 'object') defaultEntries(value, properties, schema.additionalProperties);
};

const defaultEntries = (value: JsonObject, properties: Readonly<Record<string, Schema>>, schema: Schema): void => {
  for (const [name, member] of Object.entries(value)) {
    if (properties[name] !== undefined) continue;
    if (member === null && schema.nullable !== true) Reflect.deleteProperty(value, name);
    else applyDefaults(member, schema);
  }
};
