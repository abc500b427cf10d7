/** Where a walk over contents has come to: all that led here has said the same so far. */
export interface Fork<T> {
  next: Map<unknown, Fork<T>> | undefined;
  /** What was made of the content that ends here. */
  value: T | undefined;
}

/** Has no value, and leads nowhere yet. */
export const newFork = <T>(): Fork<T> => ({ next: undefined, value: undefined });

/** One word further: a text, a number, anything that is compared by what it is. */
export const stepTo = <T>(from: Fork<T>, word: unknown): Fork<T> => {
  const known = from.next?.get(word);
  if (known !== undefined) return known;
  const fresh = newFork<T>();
  (from.next ??= new Map<unknown, Fork<T>>()).set(word, fresh);
  return fresh;
};

const LISTS: symbol[] = [];
const RECORDS: symbol[] = [];

/** The mark of a list, or a record, of so many parts: by its length it needs no end. */
const markOf = (marks: symbol[], length: number): symbol => (marks[length] ??= Symbol(length));

/**
 * Past plain data, part by part. Equal data leads to one fork, different data never; data that differs in the order of its keys, or by a key that is
 * there and undefined, may lead to two.
 */
export const walkPast = <T>(from: Fork<T>, data: unknown): Fork<T> => {
  if (typeof data !== 'object' || data === null) return stepTo(from, data);
  if (Array.isArray(data)) {
    let at = stepTo(from, markOf(LISTS, data.length));
    for (const each of data) at = walkPast(at, each);
    return at;
  }
  const keys = Object.keys(data);
  let at = stepTo(from, markOf(RECORDS, keys.length));
  for (const key of keys) at = walkPast(stepTo(at, key), (data as Readonly<Record<string, unknown>>)[key]);
  return at;
};
