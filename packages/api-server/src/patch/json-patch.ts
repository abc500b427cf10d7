import jsonpatch, { type Operation } from 'fast-json-patch';
import { isObject, type JsonObject, type JsonValue, textAt, thaw } from '../json/json.ts';
import { goKind } from '../json/go-text.ts';
import { ApiError } from '../status/api-error.ts';
import { badRequest } from '../status/refusals.ts';

/** The server does not say to the client what does not apply; the cause does. */
const cannotApply = (cause: unknown): ApiError =>
  Object.assign(new ApiError('Invalid', 'the server rejected our request due to an error in our request', {}), { cause });

/**
 * RFC 6902, but that a replace also adds a member, as the library of a real server does. Returns a new value. Throws an
 * `ApiError`: `BadRequest` for a malformed patch, `Invalid` when an operation does not apply.
 */
export const jsonPatch = (target: JsonObject, patch: JsonValue): JsonValue => {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
  return patch.reduce<JsonValue>((document, step) => applyStep(document, stepIn(step)), thaw(target));
};

const stepIn = (step: JsonValue): JsonObject => {
  if (!isObject(step))
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(step)} into Go value of type handlers.jsonPatchOp`);
  if (step['path'] === undefined) throw cannotApply(new Error('a step without a path'));
  return step;
};

const OPERATIONS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** Changes the document. Values are copied, so that later steps change neither the patch nor the member they came from. */
const applyStep = (document: JsonValue, step: JsonObject): JsonValue => {
  const [op, path, from] = [textAt(step, 'op'), textAt(step, 'path'), textAt(step, 'from')];
  try {
    if (!OPERATIONS.has(op)) throw new Error(`no operation "${op}"`);
    if (op === 'copy' || op === 'move') {
      const value = thaw(read(document, from));
      return perform(op === 'move' ? perform(document, { op: 'remove', path: from }) : document, { op: 'add', path, value });
    }
    const adds = op === 'replace' && isObject(read(document, path.slice(0, Math.max(path.lastIndexOf('/'), 0))));
    return perform(document, { op: adds ? 'add' : op, path, value: thaw(step['value'] ?? null) } as Operation);
  } catch (cause) {
    throw cannotApply(cause);
  }
};

const perform = (document: JsonValue, operation: Operation): JsonValue => jsonpatch.applyOperation(document, operation, true).newDocument;

/** The library's own look-up also finds what is no member, such as the length of a list. */
const read = (document: JsonValue, path: string): JsonValue => {
  let value: JsonValue | undefined = path === '' || path.startsWith('/') ? document : undefined;
  for (const key of path.split('/').slice(1).map(jsonpatch.unescapePathComponent)) value = memberOf(value, key);
  if (value === undefined) throw new Error(`unable to find ${path}`);
  return value;
};

const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};
