import type { JsonObject, JsonValue } from '../json/json.ts';
import { isObject } from '../json/json.ts';
import { canonicalQuantity, parseQuantity, QUANTITY_SYNTAX } from '../quantity/quantity.ts';
import { badRequest } from '../status/refusals.ts';
import type { Schema } from './schema.ts';
import { keepsUnknown, memberSchema } from './schema.ts';

/** A typed object read from JSON, and the paths of members that its type does not have. */
export interface Decoded {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/**
 * Reads JSON as a built-in type, as the typed decoder of a real server does: members that are null or unknown are dropped, quantities are brought
 * to their canonical form. Returns a new object. Throws an `ApiError` (`BadRequest`) when a member has the wrong type.
 */
export const decode = (value: JsonObject, schema: Schema): Decoded => {
  const unknownFields: string[] = [];
  const object = decodeObject(value, schema, { path: '', unknownFields });
  return { object, unknownFields };
};

interface Place {
  readonly path: string;
  readonly unknownFields: string[];
}

const under = (place: Place, path: string): Place => ({ path, unknownFields: place.unknownFields });

const decodeObject = (value: JsonObject, schema: Schema, place: Place): JsonObject => {
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const declared = memberSchema(schema, name);
    if (declared === undefined && !keepsUnknown(schema)) place.unknownFields.push(path);
    else if (member !== null && member !== undefined)
      result[name] = declared === undefined ? member : decodeValue(member, declared, under(place, path));
  }
  return result;
};

const decodeValue = (value: JsonValue, schema: Schema, place: Place): JsonValue => {
  switch (schema.type) {
    case 'object':
      return decodeStruct(value, schema, place);
    case 'array':
      return Array.isArray(value) ? decodeList(value, schema, place) : mismatch(value, 'array', place);
    case 'integer':
    case 'number':
    case 'boolean':
      return isScalar(value, schema.type) ? value : mismatch(value, GO_TYPES[schema.format ?? schema.type] ?? schema.type, place);
    default:
      return decodeString(value, schema, place);
  }
};

const GO_TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  integer: 'int64',
  number: 'float64',
  double: 'float64',
  int32: 'int32',
  int64: 'int64',
};

const isScalar = (value: JsonValue, type: 'integer' | 'number' | 'boolean'): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeof value === type;

const decodeStruct = (value: JsonValue, schema: Schema, place: Place): JsonValue => {
  if (isObject(value)) return decodeObject(value, schema, place);
  return keepsUnknown(schema) ? value : mismatch(value, 'object', place);
};

const decodeList = (value: readonly JsonValue[], schema: Schema, place: Place): JsonValue[] =>
  value.map((item, index) =>
    schema.items === undefined || item === null ? item : decodeValue(item, schema.items, under(place, `${place.path}[${index}]`)),
  );

const decodeString = (value: JsonValue, schema: Schema, place: Place): JsonValue => {
  if (schema.definition === QUANTITY) return decodeQuantity(value, place);
  if (schema.format === 'int-or-string' && typeof value === 'number') return value;
  return typeof value === 'string' ? value : mismatch(value, 'string', place);
};

const decodeQuantity = (value: JsonValue, place: Place): string => {
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : undefined;
  if (quantity === undefined) throw badRequest(`unable to parse quantity's suffix in ${place.path}: ${QUANTITY_SYNTAX}`);
  return canonicalQuantity(quantity);
};

const mismatch = (value: JsonValue, wanted: string, place: Place): never => {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw badRequest(`json: cannot unmarshal ${found} into Go struct field ${place.path} of type ${wanted}`);
};
