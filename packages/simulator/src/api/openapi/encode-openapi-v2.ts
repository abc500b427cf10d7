import { plainText } from '../json/plain-text.ts';
import { stringify } from 'yaml';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { asList, asObject } from '../json/json.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { protobufWriter } from './protobuf-writer.ts';

type Encode = (value: JsonValue, out: ProtobufWriter, field: number) => void;
type Fields = Readonly<Record<string, readonly [number, Encode]>>;

const text: Encode = (value, out, field) => out.text(field, plainText(value));
const flag: Encode = (value, out, field) => out.flag(field, value === true);
const whole: Encode = (value, out, field) => out.whole(field, Number(value));
const real: Encode = (value, out, field) => out.real(field, Number(value));
const texts: Encode = (value, out, field) => asList(value).forEach((item) => out.text(field, plainText(item)));
const anything: Encode = (value, out, field) => out.message(field, anyOf(value));
const anythings: Encode = (value, out, field) => asList(value).forEach((item) => out.message(field, anyOf(item)));

/** `openapi.v2.Any`: the value as YAML. */
const anyOf = (value: JsonValue): Buffer => built((out) => out.text(2, stringify(value, { lineWidth: 0 })));

const built = (write: (out: ProtobufWriter) => void): Buffer => {
  const out = protobufWriter();
  write(out);
  return out.finish();
};

const wrapped = (field: number, inner: Buffer): Buffer => built((out) => out.message(field, inner));

/** Writes the known members of an object, and its `x-` members as vendor extensions. */
const encode = (object: JsonObject, fields: Fields, extensions: number): Buffer =>
  built((out) => {
    for (const [name, value] of Object.entries(object)) {
      const known = fields[name];
      if (value === undefined) continue;
      if (known !== undefined) known[1](value, out, known[0]);
      else if (name.startsWith('x-')) out.message(extensions, named(name, anyOf(value)));
    }
  });

const named = (name: string, value: Buffer): Buffer =>
  built((out) => {
    out.text(1, name);
    out.message(2, value);
  });

const namedSchemas: Encode = (value, out, field) =>
  out.message(
    field,
    built((inner) => {
      for (const [name, member] of Object.entries(asObject(value))) inner.message(1, named(name, encode(asObject(member), SCHEMA, 31)));
    }),
  );

const SCHEMA: Fields = {
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
  required: [19, texts],
  enum: [20, anythings],
  additionalProperties: [21, (value, out, field) => out.message(field, wrapped(1, encode(asObject(value), SCHEMA, 31)))],
  type: [
    22,
    (value, out, field) =>
      out.message(
        field,
        built((inner) => inner.text(1, plainText(value))),
      ),
  ],
  items: [23, (value, out, field) => out.message(field, wrapped(1, encode(asObject(value), SCHEMA, 31)))],
  properties: [25, namedSchemas],
};

const QUERY: Fields = { required: [1, flag], in: [2, text], name: [4, text], type: [6, text], uniqueItems: [20, flag] };
const PATH: Fields = { required: [1, flag], in: [2, text], name: [4, text], type: [5, text], uniqueItems: [18, flag] };

const parameters: Encode = (value, out, field) => {
  for (const parameter of asList(value).map(asObject)) {
    const inPath = parameter['in'] === 'path';
    const sub = inPath ? wrapped(4, encode(parameter, PATH, 22)) : wrapped(3, encode(parameter, QUERY, 23));
    out.message(field, wrapped(1, wrapped(2, sub)));
  }
};

const RESPONSE: Fields = {
  description: [1, text],
  schema: [2, (value, out, field) => out.message(field, wrapped(1, encode(asObject(value), SCHEMA, 31)))],
};

const responses: Encode = (value, out, field) =>
  out.message(
    field,
    built((inner) => {
      for (const [code, answer] of Object.entries(asObject(value)))
        inner.message(1, named(code, wrapped(1, encode(asObject(answer), RESPONSE, 5))));
    }),
  );

const OPERATION: Fields = { operationId: [5, text], parameters: [8, parameters], responses: [9, responses] };
const operation: Encode = (value, out, field) => out.message(field, encode(asObject(value), OPERATION, 13));
const PATH_ITEM: Fields = {
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  patch: [8, operation],
  parameters: [9, parameters],
};

const paths: Encode = (value, out, field) =>
  out.message(
    field,
    built((inner) => {
      for (const [path, item] of Object.entries(asObject(value))) inner.message(2, named(path, encode(asObject(item), PATH_ITEM, 10)));
    }),
  );

const DOCUMENT: Fields = {
  swagger: [1, text],
  info: [2, (value, out, field) => out.message(field, encode(asObject(value), { title: [1, text], version: [2, text] }, 7))],
  paths: [8, paths],
  definitions: [9, namedSchemas],
};

/** An OpenAPI v2 document in the protobuf form of gnostic (`openapi.v2.Document`), which older clients insist on. */
export const encodeOpenApiV2 = (document: JsonObject): Buffer => encode(document, DOCUMENT, 16);
