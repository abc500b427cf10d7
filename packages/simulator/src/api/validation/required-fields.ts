import type { JsonObject, JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { memberSchema } from '../schema/schema.ts';
import type { FieldError } from '../status/field-error.ts';
import { required } from '../status/field-error.ts';

/** Required members that a built-in object lacks, outside of `status`. An empty string counts as missing. */
export const requiredErrors = (value: JsonValue | undefined, schema: Schema, path = ''): readonly FieldError[] => {
  if (Array.isArray(value)) return inItems(value, schema, path);
  return isObject(value) ? inMembers(value, schema, path) : [];
};

const inItems = (items: readonly JsonValue[], schema: Schema, path: string): readonly FieldError[] => {
  const itemSchema = schema.items;
  return itemSchema === undefined ? [] : items.flatMap((item, index) => requiredErrors(item, itemSchema, `${path}[${index}]`));
};

const inMembers = (value: JsonObject, schema: Schema, path: string): readonly FieldError[] => {
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined || value[name] === '');
  const below = Object.entries(value).flatMap(([name, member]) => {
    const declared = typeof member === 'object' ? memberSchema(schema, name) : undefined;
    return declared === undefined || (path === '' && name === 'status') ? [] : requiredErrors(member, declared, join(path, name));
  });
  return [...missing.map((name) => required(join(path, name))), ...below];
};

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
