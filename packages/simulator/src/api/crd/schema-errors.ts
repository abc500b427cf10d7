import { jsonEqual } from '../json/equal.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { memberSchema } from '../schema/schema.ts';
import type { FieldError } from '../status/field-error.ts';
import { duplicate, invalidValue, required, unsupported } from '../status/field-error.ts';
import { scalarErrors } from './scalar-errors.ts';

/** What is wrong with a value under an OpenAPI schema, with the paths and words of apiextensions. */
export const schemaErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  if (value === null) return schema.nullable === true ? [] : [wrongType(path, 'null', schema.type ?? 'object')];
  const typeError = typeErrorOf(value, schema, path);
  if (typeError !== undefined) return [typeError];
  return [
    ...enumErrors(value, schema, path),
    ...(isObject(value) ? objectErrors(value, schema, path) : []),
    ...(Array.isArray(value) ? listErrors(value, schema, path) : []),
    ...scalarErrors(value, schema, path),
    ...logicErrors(value, schema, path),
  ];
};

const wrongType = (path: string, found: string, wanted: string): FieldError => ({
  reason: 'FieldValueTypeInvalid',
  field: path,
  value: found,
  detail: `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`,
});

const typeNameOf = (value: JsonValue): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
};

const typeErrorOf = (value: JsonValue, schema: Schema, path: string): FieldError | undefined => {
  const found = typeNameOf(value);
  if (schema['x-kubernetes-int-or-string'] === true) {
    return found === 'integer' || found === 'string' ? undefined : wrongType(path, found, 'integer,string');
  }
  const wanted = schema.type;
  if (wanted === undefined || wanted === found || (wanted === 'number' && found === 'integer')) return undefined;
  return wrongType(path, found, wanted);
};

const enumErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  if (schema.enum === undefined || schema.enum.some((one) => jsonEqual(one, value))) return [];
  return [
    unsupported(
      path,
      value,
      schema.enum.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    ),
  ];
};

const tooMany = (path: string, count: number, most: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field: path,
  value: count,
  detail: `must have at most ${most} items`,
});

const objectErrors = (value: JsonObject, schema: Schema, path: string): readonly FieldError[] => [
  ...(schema.required ?? []).filter((name) => value[name] === undefined).map((name) => required(join(path, name))),
  ...sizeErrors(Object.keys(value).length, schema, path),
  ...Object.entries(value).flatMap(([name, member]) => {
    const declared = memberSchema(schema, name);
    return declared === undefined || member === undefined ? [] : schemaErrors(member, declared, join(path, name));
  }),
];

const sizeErrors = (size: number, { maxProperties, minProperties }: Schema, path: string): readonly FieldError[] => [
  ...(maxProperties !== undefined && size > maxProperties ? [tooMany(path, size, maxProperties)] : []),
  ...(minProperties !== undefined && size < minProperties
    ? [invalidValue(path, size, `${path} in body should have at least ${minProperties} properties`)]
    : []),
];

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const listErrors = (value: readonly JsonValue[], schema: Schema, path: string): readonly FieldError[] => {
  const { items, maxItems, minItems } = schema;
  return [
    ...(maxItems !== undefined && value.length > maxItems ? [tooMany(path, value.length, maxItems)] : []),
    ...(minItems !== undefined && value.length < minItems
      ? [invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`)]
      : []),
    ...(items === undefined ? [] : value.flatMap((item, index) => schemaErrors(item, items, `${path}[${index}]`))),
    ...duplicateErrors(value, schema, path),
  ];
};

const duplicateErrors = (value: readonly JsonValue[], schema: Schema, path: string): readonly FieldError[] => {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identityOf = (item: JsonValue): JsonValue =>
    isObject(item) && listType === 'map' ? Object.fromEntries(keys.map((key) => [key, item[key]])) : item;
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const identity = identityOf(item);
    const text = JSON.stringify(identity);
    const twice = seen.has(text);
    seen.add(text);
    return twice ? [duplicate(`${path}[${index}]`, identity)] : [];
  });
};

const logicErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  const passes = (one: Schema): boolean => schemaErrors(value, one, path).length === 0;
  const wrong = (words: string): FieldError => invalidValue(path, '', `${JSON.stringify(path)} must ${words}`);
  const { allOf = [], anyOf, oneOf, not } = schema;
  const one = oneOf?.filter(passes).length;
  return [
    ...allOf.flatMap((each) => schemaErrors(value, each, path)),
    ...(anyOf === undefined || anyOf.some(passes) ? [] : [wrong('validate at least one schema (anyOf)')]),
    ...(one === undefined || one === 1
      ? []
      : [wrong(`validate one and only one schema (oneOf). ${one === 0 ? 'Found none valid' : `Found ${one} valid alternatives`}`)]),
    ...(not !== undefined && passes(not) ? [wrong('not validate the schema (not)')] : []),
  ];
};
