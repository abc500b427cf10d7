import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { structName } from '../schema/go-types.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';
import { type FieldError, memberPath, requiredAt } from '../status/field-error.ts';
import { STRUCT_RULES } from './struct-rules.ts';

/** What is wrong with a built-in object, struct by struct, wherever a struct stands, outside of `status`. */
export const structErrors = (value: JsonValue | undefined, schema: Schema, path = ''): readonly FieldError[] => {
  if (Array.isArray(value)) return inItems(value, schema, path);
  return isObject(value) ? inMembers(value, schema, path) : [];
};

const inItems = (items: readonly JsonValue[], schema: Schema, path: string): readonly FieldError[] => {
  const itemSchema = schema.items;
  return itemSchema === undefined ? [] : items.flatMap((item, index) => structErrors(item, itemSchema, `${path}[${index}]`));
};

const inMembers = (value: JsonObject, schema: Schema, path: string): readonly FieldError[] => {
  const rule = STRUCT_RULES[structName(schema)];
  const below = Object.entries(value).flatMap(([name, member]) => {
    const declared = typeof member === 'object' ? memberSchema(schema, name) : undefined;
    return declared === undefined || (path === '' && name === 'status') ? [] : structErrors(member, declared, memberPath(path, name));
  });
  return [...(rule === undefined ? missingErrors(value, schema, path) : rule(value, path)), ...below];
};

/** For a struct without a rule of its own: its required members. A missing number is 0. */
const missingErrors = (value: JsonObject, schema: Schema, path: string): readonly FieldError[] =>
  (schema.required ?? [])
    .filter((name) => (value[name] === undefined || value[name] === '') && !isNumeric(memberSchema(schema, name)))
    .map((name) => requiredAt(memberPath(path, name)));

const isNumeric = (schema: Schema | undefined): boolean => schema?.type === 'integer' || schema?.type === 'boolean';
