import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema } from './schema.ts';

type Visit = (object: JsonObject, schema: Schema) => void;

/** Visits every struct of a typed object, the outer one before those in it. */
export const eachStruct = (value: JsonValue, schema: Schema, visit: Visit): void => {
  if (Array.isArray(value) && schema.items !== undefined) for (const item of value) eachStruct(item, schema.items, visit);
  if (!isObject(value)) return;
  if (typeof schema.additionalProperties !== 'object') visit(value, schema);
  for (const [name, member] of Object.entries(value)) {
    const declared = memberSchema(schema, name);
    if (declared !== undefined && member !== undefined) eachStruct(member, declared, visit);
  }
};

/** Takes away, in place, what Go does not write because it is empty. */
export const dropEmpty = (object: JsonObject, schema: Schema): void => {
  eachStruct(object, schema, (struct, type) => {
    for (const [name, member] of Object.entries(struct)) {
      const declared = memberSchema(type, name);
      const isOptional = type.required?.includes(name) !== true;
      if (declared !== undefined && member !== undefined && isOptional && isDropped(name, member, { declared, type }))
        Reflect.deleteProperty(struct, name);
    }
  });
};

/** Adds, in place, what Go writes although nothing was given. */
export const addZeros = (object: JsonObject, schema: Schema): void => {
  if (schema.properties?.['spec'] !== undefined) object['spec'] ??= {};
  eachStruct(object, schema, (struct, type) => {
    for (const name of type.alwaysWritten ?? []) struct[name] ??= zeroOf(memberSchema(type, name) ?? {});
  });
};

/** What Go writes for a value that was not given. */
const zeroOf = (schema: Schema): JsonValue => {
  if (schema.type === 'array' || schema.format === 'date-time') return null;
  if (schema.type === 'object') {
    const written = [...(schema.required ?? []), ...(schema.alwaysWritten ?? [])];
    return Object.fromEntries(written.map((name) => [name, zeroOf(memberSchema(schema, name) ?? {})]));
  }
  return schema.type === 'integer' ? 0 : '';
};

const isDropped = (name: string, value: JsonValue, { declared, type }: { readonly declared: Schema; readonly type: Schema }): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return typeof declared.additionalProperties === 'object' && Object.keys(value).length === 0;
  if (value === '') return declared.format !== 'int-or-string' && type.keptTexts?.includes(name) !== true;
  return (value === 0 || value === false) && type.droppedZeros?.includes(name) === true;
};

/** What Go writes for an empty struct: its required numbers. */
export const emptyStruct = (schema: Schema): JsonObject =>
  Object.fromEntries((schema.required ?? []).filter((name) => schema.properties?.[name]?.type === 'integer').map((name) => [name, 0]));
