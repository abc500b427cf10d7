import { isObject, jsonEqual, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';
import { duplicate, type FieldError, invalidValue, memberPath, requiredAt, tooLong, unsupported } from '../status/field-error.ts';
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

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  duration: /^([+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d|w))+$/,
};

/**
 * What is wrong with a string or a number under the limits of a schema. Of the limits of a string the first that is broken.
 */
const scalarErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  if (typeof value === 'string') return stringErrors(value, schema, path);
  return typeof value === 'number' ? numberErrors(value, schema, path) : [];
};

const stringErrors = (value: string, schema: Schema, path: string): readonly FieldError[] => {
  const { maxLength, minLength, pattern, format } = schema;
  const length = Array.from(value).length;
  const shape = format === undefined ? undefined : FORMATS[format];
  const wrong: readonly FieldError[] = [
    ...(maxLength !== undefined && length > maxLength ? [tooLong(path, maxLength)] : []),
    ...(minLength !== undefined && length < minLength
      ? [invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`)]
      : []),
    ...(pattern !== undefined && !regexOf(pattern).test(value)
      ? [invalidValue(path, value, `${path} in body should match '${pattern}'`)]
      : []),
  ];
  const misshapen = shape !== undefined && !shape.test(value);
  return [
    ...wrong.slice(0, 1),
    ...(misshapen ? [invalidValue(path, value, `${path} in body must be of type ${String(format)}: ${JSON.stringify(value)}`)] : []),
  ];
};

const numberErrors = (value: number, schema: Schema, path: string): readonly FieldError[] => {
  const { multipleOf } = schema;
  const wrong = (words: string): FieldError => invalidValue(path, value, `${path} in body should be ${words}`);
  return [
    ...boundErrors(schema.maximum, (most) => (schema.exclusiveMaximum === true ? value >= most : value > most)).map((most) =>
      wrong(`less than ${schema.exclusiveMaximum === true ? '' : 'or equal to '}${most}`),
    ),
    ...boundErrors(schema.minimum, (least) => (schema.exclusiveMinimum === true ? value <= least : value < least)).map((least) =>
      wrong(`greater than ${schema.exclusiveMinimum === true ? '' : 'or equal to '}${least}`),
    ),
    ...(multipleOf !== undefined && value % multipleOf !== 0 ? [wrong(`a multiple of ${multipleOf}`)] : []),
  ];
};

const boundErrors = (bound: number | undefined, broken: (bound: number) => boolean): readonly number[] =>
  bound !== undefined && broken(bound) ? [bound] : [];

/** Patterns are Go regular expressions; the ones that CRDs use mean the same here, but for a leading `(?i)`. */
const regexOf = (pattern: string): RegExp => (pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'i') : new RegExp(pattern));
