/** A set of small integers that grows as it must. */
export class NumberSet {
  size = 0;
  #words = new Uint32Array(4);

  get wordCount(): number {
    return this.#words.length;
  }

  /** 32 members at a time; none beyond the end. */
  word(index: number): number {
    return this.#words[index] ?? 0;
  }

  add(number: number): void {
    const index = number >>> 5;
    if (index >= this.#words.length) {
      const larger = new Uint32Array(Math.max(index + 1, this.#words.length * 2));
      larger.set(this.#words);
      this.#words = larger;
    }
    const bit = 1 << (number & 31);
    if ((this.word(index) & bit) !== 0) return;
    this.#words[index] = this.word(index) | bit;
    this.size++;
  }

  delete(number: number): void {
    const index = number >>> 5;
    const bit = 1 << (number & 31);
    if ((this.word(index) & bit) === 0) return;
    this.#words[index] = this.word(index) & ~bit;
    this.size--;
  }
}

const commonWord = (first: NumberSet, others: readonly NumberSet[], index: number): number => {
  let bits = first.word(index);
  for (let i = 0; i < others.length && bits !== 0; i++) bits &= others[i]?.word(index) ?? 0;
  return bits;
};

/** The smallest number from `from` on that is in all of the sets; -1 when there is none. */
export const nextInAll = (first: NumberSet, others: readonly NumberSet[], from: number): number => {
  let index = from >>> 5;
  let bits = commonWord(first, others, index) & (0xffffffff << (from & 31));
  while (bits === 0) {
    index++;
    if (index >= first.wordCount) return -1;
    bits = commonWord(first, others, index);
  }
  return (index << 5) + 31 - Math.clz32(bits & -bits);
};
