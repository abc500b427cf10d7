import { goText } from '../json/go-text.ts';
import { isObject, type JsonObject, type JsonValue, valueAt } from '../json/json.ts';
import { type FieldError, invalidValue } from '../status/field-error.ts';

const MOST_REPLICAS = 2 ** 31 - 1;

/** What is wrong with the count that the scale subresource of a custom resource writes; `path` is dotted. */
export const replicasErrors = (object: JsonObject, path: string): readonly FieldError[] => {
  const field = `.${path}`;
  const holder = valueAt(object, path.split('.').slice(0, -1).join('.'));
  const unread = (value: JsonValue, wanted: string): readonly FieldError[] => [
    invalidValue(field, 0, `${field} accessor error: ${goText(value)} is of the type ${goTypeName(value)}, expected ${wanted}`),
  ];
  if (holder !== undefined && holder !== null && !isObject(holder)) return unread(holder, 'map[string]interface{}');
  const replicas = valueAt(object, path);
  if (replicas === undefined || replicas === null) return [];
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) return unread(replicas, 'int64');
  if (replicas < 0) return [invalidValue(field, replicas, 'should be a non-negative integer')];
  return replicas > MOST_REPLICAS ? [invalidValue(field, replicas, `should be less than or equal to ${MOST_REPLICAS}`)] : [];
};

const goTypeName = (value: JsonValue): string => {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
};
