import type { JsonObject, JsonValue } from '../json/json.ts';
import { asList } from '../json/json.ts';
import { builtInSchema, builtInSchemas } from '../schema/built-in-schemas.ts';
import type { Schema } from '../schema/schema.ts';
import { ApiError } from '../status/api-error.ts';
import { FIELD_NAMES } from './field-numbers.ts';
import type { WireField } from './wire-fields.ts';
import { wireFields } from './wire-fields.ts';

const MAGIC = Buffer.from('k8s\0');

/** Whether a body begins as Kubernetes' protobuf does. */
export const isKubernetesProtobuf = (body: Buffer): boolean => body.subarray(0, MAGIC.length).equals(MAGIC);

const unsupported = (what: string): ApiError =>
  new ApiError('UnsupportedMediaType', `${what} is not known in the protobuf form; send application/json instead`);

const text = (field: WireField | undefined): string => (Buffer.isBuffer(field?.value) ? field.value.toString() : '');

/**
 * Reads an object in Kubernetes' protobuf envelope as JSON. Only the types that kubectl creates by itself are known; a member that is not, and
 * is not empty, is refused with `UnsupportedMediaType` so that nothing is lost in silence.
 */
export const decodeProtobuf = (body: Buffer): JsonObject => {
  const envelope = wireFields(body.subarray(MAGIC.length));
  const typeMeta = wireFields(bytesAt(envelope, 1));
  const [apiVersion, kind] = [bytesAt(typeMeta, 1).toString(), bytesAt(typeMeta, 2).toString()];
  if (!builtInSchemas.has(kind)) throw unsupported(`kind ${kind}`);
  return { ...decodeMessage(bytesAt(envelope, 2), kind), apiVersion, kind };
};

const bytesAt = (fields: readonly WireField[], wanted: number): Buffer => {
  const value = fields.find(({ number }) => number === wanted)?.value;
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};

const namesOf = (type: string): readonly string[] => FIELD_NAMES[type]?.split(' ') ?? [];

const decodeMessage = (message: Buffer, type: string): JsonObject => {
  const names = namesOf(type);
  if (names.length === 0 && message.length > 0) throw unsupported(`type ${type}`);
  const { properties = {} } = builtInSchema(type);
  const object: JsonObject = {};
  for (const { number, value } of wireFields(message)) {
    const name = names[number - 1] ?? '-';
    if (name === 'status' || isUnset(name, value)) continue;
    const schema = properties[name];
    if (schema === undefined) throw unsupported(`field ${number} of ${type}`);
    addField(object, name, { schema, value });
  }
  return object;
};

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
  if (schema.type === 'array') object[name] = [...asList(object[name]), decodeValue(value, schema.items ?? {})];
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
  Time: (message) =>
    new Date(signed(wireFields(message).find(({ number }) => number === 1)?.value) * 1000).toISOString().replace('.000', ''),
};

const signed = (value: bigint | Buffer | undefined): number => (typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0);

const decodeValue = (value: bigint | Buffer, schema: Schema): JsonValue => {
  if (typeof value === 'bigint') return schema.type === 'boolean' ? value !== 0n : signed(value);
  const type = schema.definition?.split('.').at(-1);
  const special = type === undefined ? undefined : SPECIAL[type];
  if (special !== undefined) return special(value);
  if (type !== undefined) return decodeMessage(value, type);
  return value.toString(schema.format === 'byte' ? 'base64' : 'utf8');
};
