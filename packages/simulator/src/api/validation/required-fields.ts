import type { JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { memberSchema } from '../schema/schema.ts';
import type { FieldError } from '../status/field-error.ts';
import { required } from '../status/field-error.ts';

/** Required members that a built-in object lacks, outside of `status`. An empty string counts as missing. */
export const requiredErrors = (value: JsonValue | undefined, schema: Schema, path = ''): readonly FieldError[] => {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => requiredErrors(item, items, `${path}[${index}]`));
  }
  if (!isObject(value)) return [];
  const errors: FieldError[] = [];
  for (const name of schema.required ?? []) {
    const member = value[name];
    if (member === undefined || member === '') errors.push(required(join(path, name)));
  }
  for (const [name, member] of Object.entries(value)) {
    if (path === '' && name === 'status') continue;
    const declared = memberSchema(schema, name);
    if (declared !== undefined && typeof member === 'object') errors.push(...requiredErrors(member, declared, join(path, name)));
  }
  return errors;
};

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
