import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { stringify } from 'yaml';
import { asRecord, jsonList, type JsonObject, type JsonValue, plainText } from '../json/json.ts';

/** Writes a value as a field of a message. */
type Encode = (value: JsonValue, out: BinaryWriter, field: number) => void;

/** The fields of a message by their names in JSON, and the number of the field that has its `x-` members. */
interface Message {
  readonly fields: Readonly<Record<string, readonly [number, Encode]>>;
  readonly extensions: number;
}

const text: Encode = (value, out, field) => void out.tag(field, WireType.LengthDelimited).string(plainText(value));
const flag: Encode = (value, out, field) => void out.tag(field, WireType.Varint).bool(value === true);
const whole: Encode = (value, out, field) => void out.tag(field, WireType.Varint).int64(Number(value));
const real: Encode = (value, out, field) => void out.tag(field, WireType.Bit64).double(Number(value));

const nested = (out: BinaryWriter, field: number, write: () => void): void => {
  out.tag(field, WireType.LengthDelimited).fork();
  write();
  out.join();
};

const each =
  (item: Encode): Encode =>
  (value, out, field) =>
    jsonList(value).forEach((one) => item(one, out, field));

/** The value as the only field of a message. */
const wrapped =
  (inner: number, encode: Encode): Encode =>
  (value, out, field) =>
    nested(out, field, () => encode(value, out, inner));

/** A name with the value of that name. */
const named =
  (name: string, encode: Encode): Encode =>
  (value, out, field) =>
    nested(out, field, () => {
      text(name, out, 1);
      encode(value, out, 2);
    });

/** The members of an object as a list of names with values. */
const members =
  (inner: number, encode: Encode): Encode =>
  (value, out, field) =>
    nested(out, field, () => {
      for (const [name, member] of Object.entries(asRecord(value))) if (member !== undefined) named(name, encode)(member, out, inner);
    });

/** `openapi.v2.Any`: the value as YAML. */
const anything: Encode = (value, out, field) => wrapped(2, text)(stringify(value, { lineWidth: 0 }), out, field);

/** The known members of an object, and its `x-` members as vendor extensions. */
const object =
  (message: Message): Encode =>
  (value, out, field) =>
    nested(out, field, () => writeMembers(asRecord(value), message, out));

const writeMembers = (value: JsonObject, { fields, extensions }: Message, out: BinaryWriter): void => {
  for (const [name, member] of Object.entries(value)) {
    const known = fields[name];
    if (member === undefined) continue;
    if (known !== undefined) known[1](member, out, known[0]);
    else if (name.startsWith('x-')) named(name, anything)(member, out, extensions);
  }
};

/** Schemas contain schemas. */
const schema: Encode = (value, out, field) => object(SCHEMA)(value, out, field);
const schemas = members(1, schema);

const SCHEMA: Message = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, anything],
    maximum: [7, real],
    minimum: [9, real],
    maxLength: [11, whole],
    minLength: [12, whole],
    pattern: [13, text],
    maxItems: [14, whole],
    minItems: [15, whole],
    maxProperties: [17, whole],
    minProperties: [18, whole],
    required: [19, each(text)],
    enum: [20, each(anything)],
    additionalProperties: [21, wrapped(1, schema)],
    type: [22, wrapped(1, text)],
    items: [23, wrapped(1, schema)],
    properties: [25, schemas],
  },
  extensions: 31,
};

const QUERY: Message = {
  fields: { required: [1, flag], in: [2, text], name: [4, text], type: [6, text], uniqueItems: [20, flag] },
  extensions: 23,
};
const PATH: Message = {
  fields: { required: [1, flag], in: [2, text], name: [4, text], type: [5, text], uniqueItems: [18, flag] },
  extensions: 22,
};

const parameter: Encode = (value, out, field) => {
  const sub = asRecord(value)['in'] === 'path' ? wrapped(4, object(PATH)) : wrapped(3, object(QUERY));
  wrapped(1, wrapped(2, sub))(value, out, field);
};

const RESPONSE: Message = { fields: { description: [1, text], schema: [2, wrapped(1, schema)] }, extensions: 5 };
const responses = members(1, wrapped(1, object(RESPONSE)));

const OPERATION: Message = {
  fields: { operationId: [5, text], parameters: [8, each(parameter)], responses: [9, responses] },
  extensions: 13,
};
const operation = object(OPERATION);

const PATH_ITEM: Message = {
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, each(parameter)],
  },
  extensions: 10,
};

const INFO: Message = { fields: { title: [1, text], version: [2, text] }, extensions: 7 };

const DOCUMENT: Message = {
  fields: {
    swagger: [1, text],
    info: [2, object(INFO)],
    paths: [8, members(2, object(PATH_ITEM))],
    definitions: [9, schemas],
  },
  extensions: 16,
};

/** An OpenAPI v2 document in the protobuf form of gnostic (`openapi.v2.Document`), which older clients insist on. */
export const encodeOpenApiV2 = (document: JsonObject): Buffer => {
  const out = new BinaryWriter();
  writeMembers(document, DOCUMENT, out);
  return Buffer.from(out.finish());
};
