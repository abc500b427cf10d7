/** A set of small integers that grows as it must. */
export class NumberSet {
  size = 0;
  /** 32 members to a word; grows as it must. */
  words = new Uint32Array(4);

  add(number: number): void {
    const index = number >>> 5;
    if (index >= this.words.length) {
      const larger = new Uint32Array(Math.max(index + 1, this.words.length * 2));
      larger.set(this.words);
      this.words = larger;
    }
    const { words } = this;
    const bit = 1 << (number & 31);
    const word = words[index] ?? 0;
    if ((word & bit) !== 0) return;
    words[index] = word | bit;
    this.size++;
  }

  delete(number: number): void {
    const { words } = this;
    const index = number >>> 5;
    const bit = 1 << (number & 31);
    const word = index < words.length ? (words[index] ?? 0) : 0;
    if ((word & bit) === 0) return;
    words[index] = word & ~bit;
    this.size--;
  }
}

/** The members that all of the others have as well. A set is read within its length only: to read beyond it is slow. */
const keepCommon = (word: number, others: readonly NumberSet[], index: number): number => {
  let bits = word;
  for (let i = 0; i < others.length && bits !== 0; i++) {
    const words = others[i]?.words;
    bits &= words !== undefined && index < words.length ? (words[index] ?? 0) : 0;
  }
  return bits;
};

/** The smallest number from `from` on that is in all of the sets; -1 when there is none. */
export const nextInAll = ({ words }: NumberSet, others: readonly NumberSet[], from: number): number => {
  let mask = 0xffffffff << (from & 31);
  for (let index = from >>> 5; index < words.length; index++) {
    const bits = keepCommon((words[index] ?? 0) & mask, others, index);
    if (bits !== 0) return (index << 5) + 31 - Math.clz32(bits & -bits);
    mask = -1;
  }
  return -1;
};
