import { getOrMake } from './memo.ts';

/** A node of a trie over contents: all contents that lead here begin the same. */
export interface TrieNode<T> {
  /** What belongs to the content that ends here. */
  value: T | undefined;
  /** The first child and its word: most nodes have no other, and a map takes four times the memory of a node. */
  word: unknown;
  child: TrieNode<T> | undefined;
  others: Map<unknown, TrieNode<T>> | undefined;
}

/** An empty trie. */
export const newTrie = <T>(): TrieNode<T> => ({ value: undefined, word: undefined, child: undefined, others: undefined });

/** The child for one word: a text, a number, or anything else that is compared by identity. */
export const childOf = <T>(from: TrieNode<T>, word: unknown): TrieNode<T> => {
  const { child } = from;
  if (child === undefined) {
    from.word = word;
    return (from.child = newTrie<T>());
  }
  if (from.word === word) return child;
  return getOrMake((from.others ??= new Map<unknown, TrieNode<T>>()), word, newTrie<T>);
};

const LISTS: symbol[] = [];
const RECORDS: symbol[] = [];

/** Marks the beginning of a list or a record; with its length, no end mark is needed. */
const markOf = (marks: symbol[], length: number): symbol => (marks[length] ??= Symbol(length));

/**
 * A walk down a trie along plain data, part by part. Different data never ends at the same node. Equal data does,
 * except where it differs in the order of keys, or by a key that is present and undefined. Each new word takes memory
 * for good, so that a walk ends after some.
 */
export class TrieWalk<T> {
  #at: TrieNode<T>;
  #wordsLeft: number;

  constructor(root: TrieNode<T>, mostWords: number) {
    this.#at = root;
    this.#wordsLeft = mostWords;
  }

  /** Where the walk is; undefined when it took too many words. */
  get end(): TrieNode<T> | undefined {
    return this.#wordsLeft < 0 ? undefined : this.#at;
  }

  /** Goes on along the data. */
  along(data: unknown): void {
    if (typeof data !== 'object' || data === null) this.#take(data);
    else if (Array.isArray(data)) this.#alongList(data);
    else this.#alongRecord(data as Readonly<Record<string, unknown>>);
  }

  #alongList(list: readonly unknown[]): void {
    this.#take(markOf(LISTS, list.length));
    for (const each of list) {
      if (this.#wordsLeft < 0) return;
      this.along(each);
    }
  }

  #alongRecord(record: Readonly<Record<string, unknown>>): void {
    const keys = Object.keys(record);
    this.#take(markOf(RECORDS, keys.length));
    for (const key of keys) {
      if (this.#wordsLeft < 0) return;
      this.#take(key);
      this.along(record[key]);
    }
  }

  #take(word: unknown): void {
    this.#wordsLeft -= 1;
    if (this.#wordsLeft >= 0) this.#at = childOf(this.#at, word);
  }
}
