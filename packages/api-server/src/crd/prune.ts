import { isObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { builtInSchema } from '../schema/built-in-schemas.ts';
import { decode, type Decoded } from '../schema/decode.ts';
import { keepsUnknown, memberSchema, type Schema } from '../schema/schema.ts';
import { memberPath } from '../status/field-error.ts';

/** A copy of a custom object without the members that its schema does not declare. Only its metadata is typed. */
export const prune = (object: JsonObject, schema: Schema): Decoded => {
  const unknownFields: string[] = [];
  const { apiVersion, kind, metadata, ...rest } = object;
  const pruned = pruneObject(rest, schema, { path: '', unknownFields });
  const typed = decode(metadata ?? {}, builtInSchema('ObjectMeta'));
  unknownFields.push(...typed.unknownFields.map((field) => `metadata.${field}`));
  return { object: { apiVersion, kind, metadata: typed.object, ...pruned }, unknownFields, problem: typed.problem };
};

interface Place {
  readonly path: string;
  readonly unknownFields: string[];
}

const pruneMetadata = (metadata: JsonValue | undefined, path: string, unknownFields: string[]): JsonObject => {
  if (!isObject(metadata)) return {};
  const decoded = decode(metadata, builtInSchema('ObjectMeta'));
  unknownFields.push(...decoded.unknownFields.map((field) => `${path}.${field}`));
  return decoded.object;
};

const pruneObject = (object: JsonObject, schema: Schema, { path, unknownFields }: Place): JsonObject => {
  const result: JsonObject = {};
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, value] of Object.entries(object)) {
    const at = memberPath(path, name);
    const declared = memberSchema(schema, name);
    if (embedded && name === 'metadata') result[name] = pruneMetadata(value, at, unknownFields);
    else if (declared !== undefined && value !== undefined) result[name] = pruneValue(value, declared, { path: at, unknownFields });
    else if (keepsUnknown(schema) || (embedded && ['apiVersion', 'kind'].includes(name))) result[name] = value;
    else unknownFields.push(at);
  }
  return result;
};

const pruneValue = (value: JsonValue, schema: Schema, place: Place): JsonValue => {
  if (isObject(value)) return pruneObject(value, schema, place);
  const { items } = schema;
  if (!Array.isArray(value) || items === undefined) return value;
  return value.map((item, index) => pruneValue(item, items, { path: `${place.path}[${index}]`, unknownFields: place.unknownFields }));
};
