import { thaw } from '../json/freeze.ts';
import type { JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';

/** Fills in the defaults of a schema, in place. A null where null is not allowed counts as missing when there is a default. */
export const applyDefaults = (value: JsonValue | undefined, schema: Schema): void => {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const item of value) applyDefaults(item, items);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const missing = value[name] === undefined || (value[name] === null && member.nullable !== true);
    if (missing && member.default !== undefined) value[name] = thaw(member.default);
    else if (value[name] === null && member.nullable !== true) Reflect.deleteProperty(value, name);
    applyDefaults(value[name], member);
  }
  if (typeof schema.additionalProperties !== 'object') return;
  for (const [name, member] of Object.entries(value))
    if (schema.properties?.[name] === undefined) applyDefaults(member, schema.additionalProperties);
};
