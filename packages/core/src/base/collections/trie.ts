/** Where a walk over contents has come to: all that led here has said the same so far. */
export interface TrieNode<T> {
  next: Map<unknown, TrieNode<T>> | undefined;
  /** What was made of the content that ends here. */
  value: T | undefined;
}

/** Has no value, and leads nowhere yet. */
export const newTrie = <T>(): TrieNode<T> => ({ next: undefined, value: undefined });

/** One word further: a text, a number, anything that is compared by what it is. */
export const childOf = <T>(from: TrieNode<T>, word: unknown): TrieNode<T> => {
  const known = from.next?.get(word);
  if (known !== undefined) return known;
  const fresh = newTrie<T>();
  (from.next ??= new Map<unknown, TrieNode<T>>()).set(word, fresh);
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
export const descend = <T>(from: TrieNode<T>, data: unknown): TrieNode<T> => {
  if (typeof data !== 'object' || data === null) return childOf(from, data);
  if (Array.isArray(data)) {
    let at = childOf(from, markOf(LISTS, data.length));
    for (const each of data) at = descend(at, each);
    return at;
  }
  const keys = Object.keys(data);
  let at = childOf(from, markOf(RECORDS, keys.length));
  for (const key of keys) at = descend(childOf(at, key), (data as Readonly<Record<string, unknown>>)[key]);
  return at;
};
