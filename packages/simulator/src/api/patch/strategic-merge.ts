import type { JsonObject, JsonValue } from '../json/json.ts';
import { asList, asObject, isObject } from '../json/json.ts';
import { jsonEqual } from '../json/equal.ts';
import type { Schema } from '../schema/schema.ts';
import { memberSchema } from '../schema/schema.ts';

const ORDER = '$setElementOrder/';
const PRIMITIVES = '$deleteFromPrimitiveList/';

/** Kubernetes' strategic merge: as a merge patch, but lists with a merge key are merged by it, and `$patch` directives are obeyed. */
export const strategicMerge = (target: JsonObject, patch: JsonObject, schema: Schema): JsonObject => {
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  if (patch['$patch'] === 'delete') return {};
  const result = retained(target, patch['$retainKeys']);
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(PRIMITIVES)) deletePrimitives(result, name.slice(PRIMITIVES.length), asList(value));
    else if (!name.startsWith('$') && value !== undefined) setMember(result, { name, value }, memberSchema(schema, name));
  }
  for (const [name, order] of Object.entries(patch)) {
    if (name.startsWith(ORDER)) reorder(result, { name: name.slice(ORDER.length), order: asList(order) }, schema);
  }
  return result;
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
  if (isObject(value)) return strategicMerge(asObject(current), value, schema);
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (!Array.isArray(value) || strategy?.includes('merge') !== true) return value;
  return mergeLists(asList(current), value, schema);
};

const mergeLists = (current: readonly JsonValue[], patch: readonly JsonValue[], schema: Schema): JsonValue[] => {
  const key = schema['x-kubernetes-patch-merge-key'];
  if (key !== undefined) return mergeByKey(current, patch, { key, items: schema.items ?? {} });
  return [...current, ...patch.filter((item) => !current.includes(item))];
};

const mergeByKey = (
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  by: { readonly key: string; readonly items: Schema },
): JsonValue[] => {
  const changes = patch.map(asObject);
  if (changes.some((change) => change['$patch'] === 'replace'))
    return changes.filter((change) => change['$patch'] === undefined).map(withoutDirectives);
  let result = current.map(asObject);
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
