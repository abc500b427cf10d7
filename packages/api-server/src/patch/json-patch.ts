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
  return patch.reduce<JsonValue>((document, step) => applied(document, stepIn(step)), thaw(target));
};

const stepIn = (step: JsonValue): JsonObject => {
  if (!isObject(step))
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(step)} into Go value of type handlers.jsonPatchOp`);
  if (step['path'] === undefined) throw cannotApply(new Error('a step without a path'));
  return step;
};

const applied = (document: JsonValue, step: JsonObject): JsonValue => {
  const [op, path, from] = [textAt(step, 'op'), textAt(step, 'path'), textAt(step, 'from')];
  try {
    if (op === 'copy') return perform(document, { op: 'add', path, value: read(document, from) });
    if (op === 'move') return perform(perform(document, { op: 'remove', path: from }), { op: 'add', path, value: read(document, from) });
    const adds = op === 'replace' && isObject(read(document, path.slice(0, Math.max(path.lastIndexOf('/'), 0))));
    return perform(document, { op: adds ? 'add' : op, path, value: step['value'] ?? null } as Operation);
  } catch (cause) {
    throw cannotApply(cause);
  }
};

const perform = (document: JsonValue, operation: Operation): JsonValue =>
  jsonpatch.applyOperation(document, operation, true, false).newDocument;

const read = (document: JsonValue, path: string): JsonValue => {
  const value: unknown = path === '' || path.startsWith('/') ? jsonpatch.getValueByPointer(document, path) : undefined;
  if (value === undefined) throw new Error(`unable to find ${path}`);
  return value as JsonValue;
};
