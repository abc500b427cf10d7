import { isObject, jsonEqual, type JsonObject, type JsonValue, textAt, thaw } from '../json/json.ts';
import { goKind } from '../json/go-text.ts';
import { ApiError } from '../status/api-error.ts';
import { badRequest } from '../status/refusals.ts';

/** The server does not say to the client what does not apply; the cause does. */
const cannotApply = (why: string): ApiError =>
  Object.assign(new ApiError('Invalid', 'the server rejected our request due to an error in our request', {}), { cause: new Error(why) });

const tokensOf = (pointer: string): readonly string[] => {
  if (pointer !== '' && !pointer.startsWith('/')) throw cannotApply(`invalid JSON pointer ${JSON.stringify(pointer)}`);
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
};

/**
 * RFC 6902, but that a replace also adds a member, as the library of a real server does. Returns a new value. Throws an
 * `ApiError`: `BadRequest` for a malformed patch, `Invalid` when an operation does not apply.
 */
export const jsonPatch = (target: JsonObject, patch: JsonValue): JsonValue => {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
  const root: Root = { document: thaw(target) };
  for (const step of patch) perform(root, stepIn(step));
  return root.document;
};

const stepIn = (step: JsonValue): JsonObject => {
  if (!isObject(step))
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(step)} into Go value of type handlers.jsonPatchOp`);
  if (step['path'] === undefined) throw cannotApply('a step without a path');
  return step;
};

interface Root {
  document: JsonValue;
}

type Operation = (root: Root, path: string, step: JsonObject) => void;

const given = (step: JsonObject): JsonValue => thaw(step['value'] ?? null);

const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: (root, path, step) => put(root, path, { value: given(step) }),
  replace: (root, path, step) => put(root, path, { value: given(step), replaces: true }),
  remove: (root, path) => void remove(root, path),
  move: (root, path, step) => put(root, path, { value: remove(root, textAt(step, 'from')) }),
  copy: (root, path, step) => put(root, path, { value: thaw(read(root, textAt(step, 'from'))) }),
  test: (root, path, step) => {
    if (!jsonEqual(read(root, path), step['value'] ?? null)) throw cannotApply(`testing value ${path} failed`);
  },
};

const perform = (root: Root, step: JsonObject): void => {
  const operation = OPERATIONS[textAt(step, 'op')];
  if (operation === undefined) throw cannotApply(`unexpected kind of operation: ${textAt(step, 'op')}`);
  operation(root, textAt(step, 'path'), step);
};

const read = ({ document }: { readonly document: JsonValue }, path: string): JsonValue => {
  let value: JsonValue | undefined = document;
  for (const token of tokensOf(path)) {
    value = Array.isArray(value) ? value[indexIn(value, token, value.length - 1)] : isObject(value) ? value[token] : undefined;
    if (value === undefined) throw cannotApply(`unable to find ${path}: missing path`);
  }
  return value;
};

const indexIn = (list: readonly JsonValue[], token: string, most: number): number => {
  const index = token === '-' ? list.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  if (!(index <= most)) throw cannotApply(`unable to access invalid index: ${token}`);
  return index;
};

const holderOf = (root: { readonly document: JsonValue }, path: string): readonly [JsonObject | JsonValue[], string] => {
  const cut = path.lastIndexOf('/');
  const holder = read(root, path.slice(0, Math.max(cut, 0)));
  if (!Array.isArray(holder) && !isObject(holder)) throw cannotApply(`doc is missing path: ${path}`);
  return [holder, tokensOf(path.slice(cut)).join('')];
};

/** Puts a value at a path. In a list it is inserted, or `replaces` the item there. */
const put = (root: Root, path: string, { value, replaces = false }: { readonly value: JsonValue; readonly replaces?: boolean }): void => {
  if (path === '') {
    root.document = value;
    return;
  }
  const [holder, token] = holderOf(root, path);
  const replaced = Number(replaces);
  if (Array.isArray(holder)) holder.splice(indexIn(holder, token, holder.length - replaced), replaced, value);
  else holder[token] = value;
};

const remove = (root: Root, path: string): JsonValue => {
  const value = read(root, path);
  const [holder, token] = holderOf(root, path);
  if (Array.isArray(holder)) holder.splice(indexIn(holder, token, holder.length - 1), 1);
  else Reflect.deleteProperty(holder, token);
  return value;
};
