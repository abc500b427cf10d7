import type { StoredObject } from './stored-object.ts';

/** How an indexed field is read. */
export type FieldReader = (object: StoredObject) => string | undefined;

/** Objects by the value of some of their fields. */
export interface FieldIndex {
  add(object: StoredObject): void;
  remove(object: StoredObject): void;
  /** Objects whose field has a value; undefined when the field is not indexed. */
  readonly find: (field: string, value: string) => ReadonlySet<StoredObject> | undefined;
}

/** An empty index over fields, by path. */
export const createFieldIndex = (readers: Readonly<Record<string, FieldReader>>): FieldIndex => {
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
