import type { JsonValue } from '../json/json.ts';
import type { Schema } from '../schema/schema.ts';
import { type FieldError, invalidValue } from '../status/field-error.ts';

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  duration: /^([+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d|w))+$/,
};

/**
 * What is wrong with a string or a number under the limits of a schema. Of the limits of a string the first that is broken.
 */
export const scalarErrors = (value: JsonValue, schema: Schema, path: string): readonly FieldError[] => {
  if (typeof value === 'string') return stringErrors(value, schema, path);
  return typeof value === 'number' ? numberErrors(value, schema, path) : [];
};

const stringErrors = (value: string, schema: Schema, path: string): readonly FieldError[] => {
  const { maxLength, minLength, pattern, format } = schema;
  const length = Array.from(value).length;
  const shape = format === undefined ? undefined : FORMATS[format];
  const wrong: readonly FieldError[] = [
    ...(maxLength !== undefined && length > maxLength
      ? [{ reason: 'FieldValueTooLong' as const, field: path, detail: `may not be more than ${maxLength} bytes` }]
      : []),
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
