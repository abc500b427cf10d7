import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { kubeTime } from '@karpenter/runtime';
import { jsonList, type JsonObject, type JsonValue } from '../json/json.ts';
import { protobufFieldNames, schemaOfKind } from '../schema/built-in-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import { ApiError } from '../status/api-error.ts';

const MAGIC = Buffer.from('k8s\0');

/** Whether a body begins as Kubernetes' protobuf does. */
export const isKubernetesProtobuf = (body: Buffer): boolean => body.subarray(0, MAGIC.length).equals(MAGIC);

const unsupported = (what: string): ApiError =>
  new ApiError('UnsupportedMediaType', `${what} is not known in the protobuf form; send application/json instead`);

interface WireField {
  readonly number: number;
  /** A varint, or the bytes of a length-delimited field. */
  readonly value: bigint | Buffer;
}

/** The fields of a message, in order. Throws when it is cut short or has a wire type that no type of Kubernetes uses. */
const wireFields = (message: Buffer): readonly WireField[] => {
  const fields: WireField[] = [];
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === WireType.Varint) fields.push({ number, value: BigInt(reader.uint64()) });
    else if (type === WireType.LengthDelimited) fields.push({ number, value: Buffer.from(reader.bytes()) });
    else throw new RangeError(`protobuf wire type ${type} is not expected`);
  }
  return fields;
};

const text = (field: WireField | undefined): string => (Buffer.isBuffer(field?.value) ? field.value.toString() : '');

/**
 * Reads an object in Kubernetes' protobuf envelope as JSON. A member that is not known, and is not empty, is refused with
 * `UnsupportedMediaType` so that nothing is lost in silence; bytes that are no protobuf are a `BadRequest`.
 */
export const decodeProtobuf = (body: Buffer): JsonObject => {
  try {
    return decodeEnvelope(body);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const why = cause instanceof Error ? cause.message : 'not protobuf';
    throw Object.assign(new ApiError('BadRequest', `unable to parse the request body: ${why}`), { cause });
  }
};

const decodeEnvelope = (body: Buffer): JsonObject => {
  const envelope = wireFields(body.subarray(MAGIC.length));
  const typeMeta = wireFields(bytesAt(envelope, 1));
  const [apiVersion, kind] = [bytesAt(typeMeta, 1).toString(), bytesAt(typeMeta, 2).toString()];
  const schema = schemaOfKind(apiVersion, kind);
  if (schema === undefined) throw unsupported(`kind ${kind}`);
  return { ...decodeMessage(bytesAt(envelope, 2), schema), apiVersion, kind };
};

const bytesAt = (fields: readonly WireField[], wanted: number): Buffer => {
  const value = fields.find(({ number }) => number === wanted)?.value;
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};

const decodeMessage = (message: Buffer, schema: Schema): JsonObject => {
  const object: JsonObject = {};
  addFields(object, message, { type: schema.definition ?? '', properties: schema.properties ?? {}, isUnion: false });
  return object;
};

interface Fields {
  /** With its package. */
  readonly type: string;
  readonly properties: Readonly<Record<string, Schema>>;
  /** Whether the one member that is set says which kind it is, so that an empty message counts too (`emptyDir: {}`). */
  readonly isUnion: boolean;
}

const addFields = (object: JsonObject, message: Buffer, fields: Fields): void => {
  const names = protobufFieldNames.get(fields.type) ?? [];
  if (names.length === 0 && message.length > 0) throw unsupported(`type ${fields.type}`);
  for (const field of wireFields(message)) {
    const name = names[field.number - 1] ?? '-';
    if (name.startsWith('^') && Buffer.isBuffer(field.value)) addFields(object, field.value, inlineFields(name.slice(1), fields));
    else addMember(object, { ...field, name }, fields);
  }
};

/** The fields of a message of the same package that stand beside those of another. */
const inlineFields = (name: string, { type, properties }: Fields): Fields => ({
  type: `${type.slice(0, type.lastIndexOf('.'))}.${name}`,
  properties,
  isUnion: /Source$|Handler$/.test(name),
});

const addMember = (object: JsonObject, { name, number, value }: WireField & { readonly name: string }, fields: Fields): void => {
  if (isUnset(name, value) && !fields.isUnion) return;
  const schema = fields.properties[name];
  if (schema === undefined) throw unsupported(`field ${number} of ${fields.type}`);
  if (!isUnread(name, schema)) addField(object, name, { schema, value });
};

/** A status whose type is not known: who creates sends it empty. */
const isUnread = (name: string, schema: Schema): boolean =>
  name === 'status' && schema.type === 'object' && !protobufFieldNames.has(schema.definition ?? '');

/** Members whose zero says something: they are sent only when they are set. */
const MEANT_ZEROS = new Set([
  'replicas',
  'parallelism',
  'completions',
  'backoffLimit',
  'terminationGracePeriodSeconds',
  'gracePeriodSeconds',
  'ttlSecondsAfterFinished',
]);

/** Other members that are not set are sent all the same, as zero or nothing. */
const isUnset = (name: string, value: bigint | Buffer): boolean =>
  typeof value === 'bigint' ? value === 0n && !MEANT_ZEROS.has(name) : value.length === 0;

const addField = (
  object: JsonObject,
  name: string,
  { schema, value }: { readonly schema: Schema; readonly value: bigint | Buffer },
): void => {
  if (schema.type === 'array') object[name] = [...jsonList(object[name]), decodeValue(value, schema.items ?? {})];
  else if (typeof schema.additionalProperties === 'object' && Buffer.isBuffer(value)) {
    object[name] = { ...(object[name] as JsonObject | undefined), ...decodeEntry(value, schema.additionalProperties) };
  } else object[name] = decodeValue(value, schema);
};

const decodeEntry = (entry: Buffer, schema: Schema): JsonObject => {
  const [key, value] = [1, 2].map((wanted) => wireFields(entry).find(({ number }) => number === wanted));
  return { [text(key)]: decodeValue(value?.value ?? Buffer.alloc(0), schema) };
};

const SPECIAL: Readonly<Record<string, (message: Buffer) => JsonValue>> = {
  Quantity: (message) => text(wireFields(message).find(({ number }) => number === 1)),
  IntOrString: (message) => {
    const field = (wanted: number): WireField | undefined => wireFields(message).find(({ number }) => number === wanted);
    return field(1)?.value === 1n ? text(field(3)) : signed(field(2)?.value);
  },
  Time: (message) => kubeTime(signed(wireFields(message).find(({ number }) => number === 1)?.value) * 1000),
  FieldsV1: (message) => JSON.parse(text(wireFields(message).find(({ number }) => number === 1))) as JsonValue,
};

const signed = (value: bigint | Buffer | undefined): number => (typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0);

const decodeValue = (value: bigint | Buffer, schema: Schema): JsonValue => {
  if (typeof value === 'bigint') return schema.type === 'boolean' ? value !== 0n : signed(value);
  const type = schema.definition?.split('.').at(-1);
  const special = type === undefined ? undefined : SPECIAL[type];
  if (special !== undefined) return special(value);
  if (type !== undefined) return decodeMessage(value, schema);
  return value.toString(schema.format === 'byte' ? 'base64' : 'utf8');
};
