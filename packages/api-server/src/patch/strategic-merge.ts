import { asRecord, isObject, jsonEqual, jsonList, type JsonObject, type JsonValue } from '../json/json.ts';
import { goText } from '../json/go-text.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';
import { failure } from '../status/refusals.ts';

const ORDER = '$setElementOrder/';
const PRIMITIVES = '$deleteFromPrimitiveList/';

/**
 * Kubernetes' strategic merge: as a merge patch, but lists with a merge key are merged by it, and `$patch` directives
 * are obeyed.
 */
export const strategicMerge = (target: JsonObject, patch: JsonObject, schema: Schema): JsonObject => {
  const directive = directiveIn(patch);
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  const result = retained(target, patch['$retainKeys']);
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(PRIMITIVES)) deletePrimitives(result, name.slice(PRIMITIVES.length), jsonList(value));
    else if (!name.startsWith('$') && value !== undefined) setMember(result, { name, value }, memberSchema(schema, name));
  }
  for (const [name, order] of Object.entries(patch)) {
    if (name.startsWith(ORDER)) reorder(result, { name: name.slice(ORDER.length), order: jsonList(order) }, schema);
  }
  return result;
};

const directiveIn = (patch: JsonObject): JsonValue => {
  const directive = patch['$patch'] ?? 'merge';
  if (['replace', 'delete', 'merge'].includes(goText(directive))) return directive;
  throw failure(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
};

const retained = (target: JsonObject, keys: JsonValue | undefined): JsonObject =>
  Array.isArray(keys) ? Object.fromEntries(Object.entries(target).filter(([name]) => keys.includes(name))) : { ...target };

const setMember = (
  result: JsonObject,
  { name, value }: { readonly name: string; readonly value: JsonValue },
  schema: Schema | undefined,
): void => {
  if (value === null) Reflect.deleteProperty(result, name);
  else result[name] = mergeMember(result[name], value, schema);
};

const withoutDirectives = (patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => !name.startsWith('$')));

const mergeMember = (current: JsonValue | undefined, value: JsonValue, schema: Schema = {}): JsonValue => {
  if (isObject(value)) return strategicMerge(asRecord(current), value, schema);
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (!Array.isArray(value) || strategy?.includes('merge') !== true) return value;
  return mergeLists(jsonList(current), value, schema);
};

const mergeLists = (current: readonly JsonValue[], patch: readonly JsonValue[], schema: Schema): JsonValue[] => {
  const key = schema['x-kubernetes-patch-merge-key'];
  const idOf = (item: JsonValue): string => JSON.stringify(key === undefined || !isObject(item) ? item : item[key]);
  const merged =
    key === undefined
      ? [...current, ...patch.filter((item) => !current.includes(item))]
      : mergeByKey(current, patch, { key, items: schema.items ?? {} });
  return inOrder(merged, { patched: patch.map(idOf), before: current.map(idOf) }, idOf);
};

/** Items of the patch in its order, and before the items of the list that stood behind them or never met them. */
const inOrder = (
  merged: readonly JsonValue[],
  { patched, before }: { readonly patched: readonly string[]; readonly before: readonly string[] },
  idOf: (item: JsonValue) => string,
): JsonValue[] => {
  const rank = (item: JsonValue): number => patched.indexOf(idOf(item));
  const mine = merged.filter((item) => rank(item) >= 0).toSorted((a, b) => rank(a) - rank(b));
  const others = merged.filter((item) => rank(item) < 0);
  const stoodBefore = (other: JsonValue, item: JsonValue): boolean =>
    before.includes(idOf(item)) && before.indexOf(idOf(other)) < before.indexOf(idOf(item));
  const result: JsonValue[] = [];
  for (const item of mine) {
    while (others[0] !== undefined && stoodBefore(others[0], item)) result.push(...others.splice(0, 1));
    result.push(item);
  }
  return [...result, ...others];
};

const mergeByKey = (
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  by: { readonly key: string; readonly items: Schema },
): JsonValue[] => {
  const changes = patch.map(asRecord);
  const keyless = changes.find((change) => change[by.key] === undefined && change['$patch'] !== 'replace');
  if (keyless !== undefined) throw failure(`map: ${goText(keyless)} does not contain declared merge key: ${by.key}`);
  if (changes.some((change) => change['$patch'] === 'replace'))
    return changes.filter((change) => change['$patch'] === undefined).map(withoutDirectives);
  let result = current.map(asRecord);
  for (const change of changes) {
    const matches = (item: JsonObject): boolean => jsonEqual(item[by.key], change[by.key]);
    if (change['$patch'] === 'delete') result = result.filter((item) => !matches(item));
    else if (result.some(matches)) result = result.map((item) => (matches(item) ? strategicMerge(item, change, by.items) : item));
    else result.push(strategicMerge({}, change, by.items));
  }
  return result;
};

const deletePrimitives = (result: JsonObject, name: string, gone: readonly JsonValue[]): void => {
  const list = result[name];
  if (Array.isArray(list)) result[name] = list.filter((item) => !gone.includes(item));
};

const reorder = (
  result: JsonObject,
  { name, order }: { readonly name: string; readonly order: readonly JsonValue[] },
  schema: Schema,
): void => {
  const list = result[name];
  if (!Array.isArray(list)) return;
  const key = memberSchema(schema, name)?.['x-kubernetes-patch-merge-key'];
  const idOf = (item: JsonValue): string => JSON.stringify(key === undefined || !isObject(item) ? item : item[key]);
  const ranks = new Map(order.map((item, rank) => [idOf(item), rank]));
  const rankOf = (item: JsonValue): number => ranks.get(idOf(item)) ?? ranks.size;
  result[name] = list.toSorted((a, b) => rankOf(a) - rankOf(b));
};
