import { type StoredObject, storeKey } from './stored-object.ts';

/** How an indexed field is read. */
export type FieldReader = (object: StoredObject) => string | undefined;

/** Objects by the value of some of their fields. */
interface FieldIndex {
  add(object: StoredObject): void;
  remove(object: StoredObject): void;
  /** Objects whose field has a value; undefined when the field is not indexed. */
  readonly find: (field: string, value: string) => ReadonlySet<StoredObject> | undefined;
}

/** An empty index over fields, by path. */
const createFieldIndex = (readers: Readonly<Record<string, FieldReader>>): FieldIndex => {
  const fields = new Map(Object.entries(readers).map(([field, read]) => [field, { read, values: new Map<string, Set<StoredObject>>() }]));
  return {
    add: (object) => {
      for (const { read, values } of fields.values()) {
        const value = read(object) ?? '';
        const members = values.get(value);
        if (members === undefined) values.set(value, new Set([object]));
        else members.add(object);
      }
    },
    remove: (object) => {
      for (const { read, values } of fields.values()) {
        const value = read(object) ?? '';
        const members = values.get(value);
        members?.delete(object);
        if (members?.size === 0) values.delete(value);
      }
    },
    find: (field, value) => {
      const known = fields.get(field);
      return known === undefined ? undefined : (known.values.get(value) ?? new Set());
    },
  };
};

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
