import { wordAt } from './cells.ts';

/** A set of small integers, 32 to a word. Sets that meet in one operation have the same length. */
export type BitSet = Uint32Array;

export const emptyBitSet = (size: number): BitSet => new Uint32Array((size + 31) >>> 5);

export const fullBitSet = (size: number): BitSet => {
  const set = emptyBitSet(size).fill(0xffffffff);
  if ((size & 31) !== 0) set[set.length - 1] = (1 << (size & 31)) - 1;
  return set;
};

export const addBit = (set: BitSet, index: number): void => {
  set[index >>> 5] = wordAt(set, index >>> 5) | (1 << (index & 31));
};

export const removeBit = (set: BitSet, index: number): void => {
  set[index >>> 5] = wordAt(set, index >>> 5) & ~(1 << (index & 31));
};

export const hasBit = (set: BitSet, index: number): boolean => ((wordAt(set, index >>> 5) >>> (index & 31)) & 1) === 1;

export const isEmptyBitSet = (set: BitSet): boolean => {
  for (const word of set) if (word !== 0) return false;
  return true;
};

/** Keeps in `into` what is in `other` too. */
export const intersectInto = (into: BitSet, other: BitSet): void => {
  for (let i = 0; i < into.length; i++) into[i] = wordAt(into, i) & wordAt(other, i);
};

/** Adds to `into` what is in both `a` and `b`. */
export const addCommonInto = (into: BitSet, a: BitSet, b: BitSet): void => {
  for (let i = 0; i < into.length; i++) into[i] = wordAt(into, i) | (wordAt(a, i) & wordAt(b, i));
};

export const haveCommonBit = (a: BitSet, b: BitSet): boolean => {
  for (let i = 0; i < a.length; i++) if ((wordAt(a, i) & wordAt(b, i)) !== 0) return true;
  return false;
};

/** The member that both sets have, where they have only one in common. */
export const onlyCommonBit = (a: BitSet, b: BitSet): number | undefined => {
  let only: number | undefined;
  for (let i = 0; i < a.length; i++) {
    const bits = wordAt(a, i) & wordAt(b, i);
    if (bits === 0) continue;
    if (only !== undefined || (bits & (bits - 1)) !== 0) return undefined;
    only = (i << 5) + 31 - Math.clz32(bits);
  }
  return only;
};

/** Whether `outer` has every member of `inner`. */
export const containsBits = (outer: BitSet, inner: BitSet): boolean => {
  for (let i = 0; i < inner.length; i++) if ((wordAt(inner, i) & ~wordAt(outer, i)) !== 0) return false;
  return true;
};

/** The smallest member from `from` on; -1 when there is none. */
export const nextBit = (set: BitSet, from: number): number => {
  let word = from >>> 5;
  let bits = word < set.length ? wordAt(set, word) & (0xffffffff << (from & 31)) : 0;
  while (bits === 0) {
    word++;
    if (word >= set.length) return -1;
    bits = wordAt(set, word);
  }
  return (word << 5) + 31 - Math.clz32(bits & -bits);
};

const countWord = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

export const countBits = (set: BitSet): number => {
  let count = 0;
  for (const word of set) count += countWord(word);
  return count;
};
