import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { canonicalQuantity, quantityValueOf, QUANTITY_SYNTAX } from '../quantity/quantity.ts';
import { parseGoTime } from './go-time.ts';
import { goTypeOf, structName } from './go-types.ts';
import { memberPath } from '../status/field-error.ts';
import { keepsUnknown, memberSchema, type Schema } from './schema.ts';

/** A typed object read from JSON, and the paths of members that its type does not have. */
export interface Decoded {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
  /** The first member that has the wrong type, in the words of Go's decoder; undefined when all are right. */
  readonly problem: string | undefined;
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/**
 * Reads JSON as a built-in type, as the typed decoder of a real server does: members that are null or unknown are
 * dropped, quantities and times are brought to their canonical form. Returns a new object.
 */
export const decode = (value: JsonValue, schema: Schema): Decoded => {
  const findings: Findings = { unknownFields: [], problem: undefined };
  const decoded = decodeValue(value, schema, { path: '', goPath: [], struct: '', findings });
  return { object: isObject(decoded) ? decoded : {}, unknownFields: findings.unknownFields, problem: findings.problem };
};

interface Findings {
  readonly unknownFields: string[];
  problem: string | undefined;
}

/** Where the decoder is: the path with indexes, Go's path without them, and the struct whose field it reads. */
interface Place {
  readonly path: string;
  readonly goPath: readonly string[];
  readonly struct: string;
  readonly findings: Findings;
}

const decodeValue = (value: JsonValue, schema: Schema, place: Place): JsonValue | undefined => {
  switch (schema.type) {
    case 'object':
      return decodeObject(value, schema, place);
    case 'array':
      return Array.isArray(value) ? decodeList(value, schema, place) : mismatch(value, schema, place);
    case 'integer':
      return isInteger(value, schema) ? value : mismatch(value, schema, place);
    case 'number':
    case 'boolean':
      return typeof value === schema.type ? value : mismatch(value, schema, place);
    default:
      return decodeString(value, schema, place);
  }
};

const MOST_INT32 = 2 ** 31 - 1;

const isInteger = (value: JsonValue, { format }: Schema): boolean =>
  Number.isInteger(value) && (format !== 'int32' || (Number(value) <= MOST_INT32 && Number(value) >= -MOST_INT32 - 1));

const decodeObject = (value: JsonValue, schema: Schema, place: Place): JsonValue | undefined => {
  if (!isObject(value)) return keepsUnknown(schema) ? value : mismatch(value, schema, place);
  return typeof schema.additionalProperties === 'object'
    ? decodeMap(value, schema.additionalProperties, place)
    : decodeStruct(value, schema, place);
};

/** A null in a map or a list is the empty value of its type. */
const decodeMap = (value: JsonObject, schema: Schema, place: Place): JsonObject => {
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const decoded = member === null ? emptyOf(schema) : decodeValue(member, schema, { ...place, path: `${place.path}.${key}` });
    if (decoded !== undefined) result[key] = decoded;
  }
  return result;
};

const emptyOf = (schema: Schema): JsonValue => {
  if (schema.definition === QUANTITY) return '0';
  const empty = { object: {}, array: [], integer: 0, number: 0, boolean: false, string: '' };
  return empty[schema.type ?? 'string'];
};

const decodeStruct = (value: JsonObject, schema: Schema, place: Place): JsonObject => {
  const { findings } = place;
  const struct = structName(schema);
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const path = memberPath(place.path, name);
    const declared = memberSchema(schema, name);
    if (declared === undefined && !keepsUnknown(schema)) findings.unknownFields.push(path);
    else if (member !== null && member !== undefined) {
      const goPath = [...place.goPath, ...embeddedIn(schema, name), name];
      const decoded = declared === undefined ? member : decodeValue(member, declared, { path, goPath, struct, findings });
      if (decoded !== undefined) result[name] = decoded;
    }
  }
  return result;
};

/** Go names the struct that it embeds, too. */
const embeddedIn = ({ embeds, ownMembers = [] }: Schema, member: string): readonly string[] =>
  embeds === undefined || ownMembers.includes(member) ? [] : [embeds];

const decodeList = (value: readonly JsonValue[], { items }: Schema, place: Place): JsonValue[] =>
  value.flatMap((item, index) => {
    if (items === undefined) return [item];
    const decoded = item === null ? emptyOf(items) : decodeValue(item, items, { ...place, path: `${place.path}[${index}]` });
    return decoded === undefined ? [] : [decoded];
  });

const decodeString = (value: JsonValue, schema: Schema, place: Place): JsonValue | undefined => {
  if (schema.definition === QUANTITY) return decodeQuantity(value, place);
  if (schema.format === 'int-or-string' && typeof value === 'number')
    return isInteger(value, { format: 'int32' }) ? value : mismatch(value, schema, place);
  if (typeof value !== 'string') return mismatch(value, schema, place);
  return schema.format === 'date-time' ? decodeTime(value, schema, place) : value;
};

/** Records a problem; only the first counts. Returns no value. */
const refuse = ({ findings }: Place, problem: string): JsonValue | undefined => {
  findings.problem ??= problem;
  return undefined;
};

const decodeTime = (value: string, schema: Schema, place: Place): JsonValue | undefined => {
  const parsed = parseGoTime(value, structName(schema) === 'MicroTime' ? 'microtime' : 'time');
  return 'problem' in parsed ? refuse(place, parsed.problem) : parsed.text;
};

const decodeQuantity = (value: JsonValue, place: Place): JsonValue | undefined => {
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  const quantity = quantityValueOf(text);
  if (quantity !== undefined) return canonicalQuantity(quantity);
  const isShaped = /^[+-]?\d+(\.\d*)?[eEinumkKMGTP]+$/.test(text);
  return refuse(place, isShaped ? "unable to parse quantity's suffix" : QUANTITY_SYNTAX);
};

const mismatch = (value: JsonValue, schema: Schema, place: Place): JsonValue | undefined => {
  const { struct, goPath } = place;
  const where = struct === '' ? 'value' : `struct field ${struct}.${goPath.join('.')}`;
  const type = goTypeOf(schema);
  return refuse(place, `json: cannot unmarshal ${foundIn(value, type)} into Go ${where} of type ${type}`);
};

const foundIn = (value: JsonValue, type: string): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && /^int\d/.test(type) ? `number ${value}` : typeof value;
};
