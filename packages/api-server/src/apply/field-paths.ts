import { asRecord, isObject, jsonEqual, type JsonObject, type JsonValue } from '../json/json.ts';
import { memberSchema, type Schema } from '../schema/schema.ts';

/**
 * The fields of an object as managedFields sees them: path → value. A path joins elements with a newline: `f:spec`,
 * `k:{"name":"a"}` for the item of a keyed list, `v:"x"` for a member of a set. The value of a container (map, list
 * item) is undefined: only its presence counts.
 */
export type FieldMap = ReadonlyMap<string, JsonValue | undefined>;

const SERVER_OWNED = new Set(
  [
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ].map((member) => `f:metadata\nf:${member}`),
)
  .add('f:apiVersion')
  .add('f:kind')
  .add('f:metadata');

/**
 * How an object is read. Of one that is applied, a declared list, map or struct is a field only when it is empty. Of
 * one that is compared with another it always is, but for the structs that Go holds by value.
 */
export type FieldReading = 'applied' | 'compared' | 'comparedCustom';

/** The fields of an object under its schema, without those that the server owns. */
export const fieldPathsOf = (object: JsonObject, schema: Schema, reading: FieldReading): FieldMap => {
  const fields = new Map<string, JsonValue | undefined>();
  collectMembers(object, schema, { path: '', fields, reading, isHeld: reading === 'compared' });
  for (const path of SERVER_OWNED) fields.delete(path);
  return fields;
};

interface Place {
  readonly path: string;
  readonly fields: Map<string, JsonValue | undefined>;
  readonly reading: FieldReading;
  /** Whether it is there in every object. */
  readonly isHeld: boolean;
}

const below = (place: Place, element: string, isHeld = false): Place => ({
  ...place,
  isHeld,
  path: place.path === '' ? element : `${place.path}\n${element}`,
});

const collectMembers = (object: JsonObject, schema: Schema, place: Place): void => {
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    const at = below(place, `f:${name}`, place.isHeld && HELD_BY_VALUE.has(name));
    if (place.reading === 'applied' && schema.properties?.[name] === undefined) at.fields.set(at.path, undefined);
    collect(member, memberSchema(schema, name), at);
  }
};

const collect = (value: JsonValue, schema: Schema | undefined, place: Place): void => {
  if (isObject(value) && isGranular(schema)) collectObject(value, schema ?? {}, place);
  else if (Array.isArray(value) && listTypeOf(schema) !== 'atomic') collectItems(value, schema ?? {}, place);
  else place.fields.set(place.path, value);
};

/**
 * What built-in kinds have even when they are empty: structs that Go holds by value, and a list that it always writes.
 * Nobody adds these.
 */
const HELD_BY_VALUE = new Set([
  'containers',
  'daemonEndpoints',
  'devices',
  'jobTemplate',
  'kubeletEndpoint',
  'loadBalancer',
  'metadata',
  'nodeInfo',
  'pool',
  'resources',
  'source',
  'spec',
  'status',
  'strategy',
  'template',
  'updateStrategy',
]);

const collectObject = (value: JsonObject, schema: Schema, place: Place): void => {
  const isEmpty = Object.keys(value).length === 0;
  if (!place.isHeld && (isEmpty || place.reading !== 'applied')) place.fields.set(place.path, isEmpty ? value : undefined);
  collectMembers(value, schema, place);
};

/** Whether the members of an object are owned one by one. An undeclared object is. */
export const isGranular = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-map-type'] !== 'atomic' && (schema?.type ?? 'object') === 'object';

/** How the items of a list are owned. An undeclared list is atomic. */
export const listTypeOf = (schema: Schema | undefined): 'atomic' | 'set' | 'map' => schema?.['x-kubernetes-list-type'] ?? 'atomic';

const collectItems = (items: readonly JsonValue[], schema: Schema, place: Place): void => {
  if (items.length === 0) place.fields.set(place.path, []);
  else if (place.reading !== 'applied' && !place.isHeld) place.fields.set(place.path, undefined);
  for (const item of items) {
    const at = below(place, itemElement(item, schema));
    at.fields.set(at.path, undefined);
    if (isObject(item)) collectMembers(item, schema.items ?? {}, at);
  }
};

/** The path element that names an item of a set or keyed list. */
export const itemElement = (item: JsonValue, schema: Schema): string => {
  if (listTypeOf(schema) === 'set' || !isObject(item)) return `v:${JSON.stringify(item)}`;
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
  const values = keys.map((key) => [key, item[key] ?? schema.items?.properties?.[key]?.default ?? defaultOf(key)] as const);
  return `k:${JSON.stringify(Object.fromEntries(values.filter(([, value]) => value !== undefined)))}`;
};

/** The one list key of built-in kinds that has a default. */
const defaultOf = (key: string): JsonValue | undefined => (key === 'protocol' ? 'TCP' : undefined);

/** What changed between two versions of an object. */
export const changedFields = (
  before: FieldMap,
  after: FieldMap,
): { readonly changed: ReadonlySet<string>; readonly removed: ReadonlySet<string> } => {
  const changed = new Set<string>();
  for (const [path, value] of after) if (!before.has(path) || !jsonEqual(before.get(path), value)) changed.add(path);
  const removed = new Set<string>();
  for (const path of before.keys()) if (!after.has(path)) removed.add(path);
  return { changed, removed };
};

/** `fieldsV1` of a set of paths. */
export const toFieldsV1 = (paths: Iterable<string>): JsonObject => {
  const root: JsonObject = {};
  const inner = new Set<JsonObject>();
  const ends = new Set<JsonObject>();
  for (const path of [...paths].sort()) {
    let node = root;
    for (const element of path.split('\n')) {
      inner.add(node);
      const next = node[element];
      if (isObject(next)) node = next;
      else node = node[element] = {};
    }
    ends.add(node);
  }
  for (const node of inner) if (ends.has(node)) node['.'] = {};
  return root;
};

/** The paths in `fieldsV1`. */
export const fromFieldsV1 = (fields: JsonObject, path = ''): ReadonlySet<string> => {
  const paths = new Set<string>();
  for (const [element, below] of Object.entries(fields)) {
    if (element === '.') {
      paths.add(path);
      continue;
    }
    const at = path === '' ? element : `${path}\n${element}`;
    const children = asRecord(below);
    if (Object.keys(children).length === 0) paths.add(at);
    for (const child of fromFieldsV1(children, at)) paths.add(child);
  }
  return paths;
};

/** A path as people read it: `.spec.containers[name="a"].image`. */
export const pathText = (path: string): string =>
  path
    .split('\n')
    .map((element) => {
      const rest = element.slice(2);
      if (element.startsWith('f:')) return `.${rest}`;
      if (element.startsWith('v:')) return `[=${rest}]`;
      const keys = asRecord(JSON.parse(rest) as JsonValue);
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    })
    .join('');
