/** A node of a trie over contents: all contents that lead here begin the same. */
export interface TrieNode<T> {
  next: Map<unknown, TrieNode<T>> | undefined;
  /** What belongs to the content that ends here. */
  value: T | undefined;
}

/** An empty trie. */
export const newTrie = <T>(): TrieNode<T> => ({ next: undefined, value: undefined });

/** The child for one word: a text, a number, or anything else that is compared by identity. */
export const childOf = <T>(from: TrieNode<T>, word: unknown): TrieNode<T> => {
  const known = from.next?.get(word);
  if (known !== undefined) return known;
  const fresh = newTrie<T>();
  (from.next ??= new Map<unknown, TrieNode<T>>()).set(word, fresh);
  return fresh;
};

const LISTS: symbol[] = [];
const RECORDS: symbol[] = [];

/** Marks the beginning of a list or a record; with its length, no end mark is needed. */
const markOf = (marks: symbol[], length: number): symbol => (marks[length] ??= Symbol(length));

/**
 * The node that plain data leads to, part by part. Different data never leads to the same node. Equal data does, except where it differs in the order of
 * keys, or by a key that is present and undefined.
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
