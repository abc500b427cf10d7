/**
 * The values under which an object is found in an index; may be empty. Pure, and cheap: it runs again when the object goes.
 */
export type IndexFunction<T> = (object: T) => readonly string[];

/** index name → its function. */
export type IndexFunctions<T> = Readonly<Record<string, IndexFunction<T>>>;
