import { type StoredObject, storeKey } from './stored-object.ts';
import { createFieldIndex, type FieldIndex, type FieldReader } from './field-index.ts';

/** The objects of one resource, by key, with the indexes that list calls need. */
export interface Table {
  get(key: string): StoredObject | undefined;
  put(object: StoredObject): void;
  remove(object: StoredObject): void;
  /** Objects in key order: all, or those of one namespace. */
  ordered(namespace?: string): readonly StoredObject[];
  /** Objects whose indexed field has a value, in no order; undefined when the field is not indexed. */
  readonly byField: FieldIndex['find'];
}

/** An empty table. `indexes` maps a field path to its reader. */
export const createTable = (indexes: Readonly<Record<string, FieldReader>>): Table => {
  const objects = new Map<string, StoredObject>();
  const namespaces = new Map<string | undefined, Map<string, StoredObject>>();
  const sorted = new Map<string | undefined, readonly StoredObject[]>();
  const index = createFieldIndex(indexes);

  const forget = (namespace: string | undefined): void => {
    sorted.delete(undefined);
    sorted.delete(namespace);
  };
  return {
    get: (key) => objects.get(key),
    put: (object) => {
      const { namespace, name } = object.metadata;
      const key = storeKey(namespace, name);
      const previous = objects.get(key);
      if (previous !== undefined) index.remove(previous);
      objects.set(key, object);
      const members = namespaces.get(namespace) ?? new Map<string, StoredObject>();
      namespaces.set(namespace, members.set(name, object));
      index.add(object);
      forget(namespace);
    },
    remove: ({ metadata: { namespace, name } }) => {
      const key = storeKey(namespace, name);
      const previous = objects.get(key);
      if (previous === undefined) return;
      index.remove(previous);
      objects.delete(key);
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
    byField: index.find,
  };
};
