/**
 * The values under which an object is found in an index; may be empty. Pure, and cheap: it runs again when the object goes.
 */
export type IndexFunction<T> = (object: T) => readonly string[];

/** index name → its function. */
export type IndexFunctions<T> = Readonly<Record<string, IndexFunction<T>>>;

/** Something that stands in the indexes under what `value` gives. */
interface Indexed<T> {
  readonly value: T;
}

/** Several indexes over the same entries. */
export interface ObjectIndexes<T> {
  add(entry: Indexed<T>): void;
  remove(entry: Indexed<T>): void;
  lookUp(index: string, value: string): readonly T[];
}

/** Empty indexes, one for each function. */
export const objectIndexes = <T>(functions: IndexFunctions<T>): ObjectIndexes<T> => {
  const indexes = Object.entries(functions).map(([name, valuesOf]) => ({ name, valuesOf, entries: new Map<string, Set<Indexed<T>>>() }));
  const byName = new Map(indexes.map((index) => [index.name, index.entries]));

  return {
    add(entry) {
      for (const { valuesOf, entries } of indexes) {
        for (const value of valuesOf(entry.value)) {
          const bucket = entries.get(value);
          if (bucket === undefined) entries.set(value, new Set([entry]));
          else bucket.add(entry);
        }
      }
    },
    remove(entry) {
      for (const { valuesOf, entries } of indexes) {
        for (const value of valuesOf(entry.value)) {
          const bucket = entries.get(value);
          bucket?.delete(entry);
          if (bucket?.size === 0) entries.delete(value);
        }
      }
    },
    lookUp(index, value) {
      const entries = byName.get(index);
      if (entries === undefined) throw new TypeError(`there is no index ${JSON.stringify(index)}`);
      return Array.from(entries.get(value) ?? [], (entry) => entry.value);
    },
  };
};
