import type { StoredObject } from './stored-object.ts';
import { keyOf } from './stored-object.ts';

/** The objects of one resource, by key, with the indexes that list calls need. */
export interface Table {
  get(key: string): StoredObject | undefined;
  put(object: StoredObject): void;
  remove(object: StoredObject): void;
  /** Objects in key order: all, or those of one namespace. */
  ordered(namespace?: string): readonly StoredObject[];
  /** Objects whose indexed field has a value, in no order; undefined when the field is not indexed. */
  byField(field: string, value: string): ReadonlySet<StoredObject> | undefined;
  readonly size: number;
}

/** How an indexed field is read. */
export type FieldReader = (object: StoredObject) => string | undefined;

/** An empty table. `indexes` maps a field path to its reader. */
export const createTable = (indexes: Readonly<Record<string, FieldReader>>): Table => {
  const objects = new Map<string, StoredObject>();
  const sorted = new Map<string | undefined, readonly StoredObject[]>();
  const namespaces = new Map<string | undefined, Map<string, StoredObject>>();
  const fields = new Map(Object.entries(indexes).map(([field, read]) => [field, { read, values: new Map<string, Set<StoredObject>>() }]));

  const unindex = (object: StoredObject): void => {
    for (const { read, values } of fields.values()) values.get(read(object) ?? '')?.delete(object);
  };
  const index = (object: StoredObject): void => {
    for (const { read, values } of fields.values()) {
      const value = read(object) ?? '';
      const members = values.get(value);
      if (members === undefined) values.set(value, new Set([object]));
      else members.add(object);
    }
  };
  const forget = (namespace: string | undefined): void => {
    sorted.delete(undefined);
    sorted.delete(namespace);
  };
  return {
    get: (key) => objects.get(key),
    put: (object) => {
      const { namespace, name } = object.metadata;
      const key = keyOf(namespace, name);
      const previous = objects.get(key);
      if (previous !== undefined) unindex(previous);
      objects.set(key, object);
      const members = namespaces.get(namespace);
      if (members === undefined) namespaces.set(namespace, new Map([[name, object]]));
      else members.set(name, object);
      index(object);
      forget(namespace);
    },
    remove: (object) => {
      const { namespace, name } = object.metadata;
      const previous = objects.get(keyOf(namespace, name));
      if (previous === undefined) return;
      unindex(previous);
      objects.delete(keyOf(namespace, name));
      namespaces.get(namespace)?.delete(name);
      forget(namespace);
    },
    ordered: (namespace) => {
      const known = sorted.get(namespace);
      if (known !== undefined) return known;
      const members = namespace === undefined ? objects : (namespaces.get(namespace) ?? new Map<string, StoredObject>());
      const inOrder = [...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
      sorted.set(namespace, inOrder);
      return inOrder;
    },
    byField: (field, value) => {
      const known = fields.get(field);
      return known === undefined ? undefined : (known.values.get(value) ?? new Set());
    },
    get size() {
      return objects.size;
    },
  };
};
