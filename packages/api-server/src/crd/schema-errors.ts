import { isObject, jsonEqual, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';
import { duplicate, type FieldError, invalidValue, memberPath, requiredAt, unsupported } from '../status/field-error.ts';
import { scalarErrors } from './scalar-errors.ts';
import { repeatFinder } from '../validation/checks.ts';

/** What is wrong with a value under an OpenAPI schema, with the paths and words of apiextensions. */
export const schemaErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  if (value === null)
    return schema.nullable === true ? [] : [wrongType(path, 'null', schema.type ?? 'object'), ...enumErrors(value, schema, path)];
  return [
    ...typeErrors(value, schema, path),
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

const typeErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  const found = typeNameOf(value);
  if (schema['x-kubernetes-int-or-string'] === true) {
    return found === 'integer' || found === 'string' ? [] : [wrongType(path, found, 'integer,string')];
  }
  const wanted = schema.type;
  return wanted === undefined || wanted === found || (wanted === 'number' && found === 'integer') ? [] : [wrongType(path, found, wanted)];
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
  ...(schema.required ?? []).filter((name) => value[name] === undefined).map((name) => requiredAt(memberPath(path, name))),
  ...sizeErrors(Object.keys(value).length, schema, path),
  ...Object.entries(value).flatMap(([name, member]) => {
    const declared = memberSchema(schema, name);
    return declared === undefined || member === undefined ? [] : schemaErrors(member, declared, memberPath(path, name));
  }),
];

const sizeErrors = (size: number, { maxProperties, minProperties }: Schema, path: string): readonly FieldError[] => [
  ...(maxProperties !== undefined && size > maxProperties ? [tooMany(path, size, maxProperties)] : []),
  ...(minProperties !== undefined && size < minProperties
    ? [invalidValue(path, size, `${path} in body should have at least ${minProperties} properties`)]
    : []),
];

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
  const isRepeated = repeatFinder();
  return value.flatMap((item, index) => {
    const identity = identityOf(item);
    return isRepeated(JSON.stringify(identity)) ? [duplicate(`${path}[${index}]`, identity)] : [];
  });
};

const logicErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  const { not } = schema;
  const forbidden = not !== undefined && schemaErrors(value, not, path).length === 0;
  return [
    ...allErrors(value, schema, path),
    ...anyErrors(value, schema, path),
    ...oneErrors(value, schema, path),
    ...(forbidden ? [unmet(path, 'not validate the schema (not)')] : []),
  ];
};

/** The validator gives these no field. */
const unmet = (path: string, words: string): FieldError => invalidValue('<nil>', '', `${JSON.stringify(path)} must ${words}`);

const allErrors = (value: JsonValue, { allOf = [] }: Schema, path: string): readonly FieldError[] => {
  const wrong = allOf.flatMap((each) => schemaErrors(value, each, path));
  return wrong.length === 0 ? [] : [...wrong, unmet(path, 'validate all the schemas (allOf)')];
};

/** With the errors of the first alternative, as the closest one. */
const anyErrors = (value: JsonValue, { anyOf = [] }: Schema, path: string): readonly FieldError[] => {
  const alternatives = anyOf.map((each) => schemaErrors(value, each, path));
  const [first] = alternatives;
  if (first === undefined || alternatives.some(({ length }) => length === 0)) return [];
  return [unmet(path, 'validate at least one schema (anyOf)'), ...first];
};

const oneErrors = (value: JsonValue, { oneOf }: Schema, path: string): readonly FieldError[] => {
  const valid = oneOf?.filter((each) => schemaErrors(value, each, path).length === 0).length;
  if (valid === undefined || valid === 1) return [];
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  return [unmet(path, `validate one and only one schema (oneOf). ${found}`)];
};
