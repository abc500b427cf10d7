/** Remembers the answers of a pure function of a text. Forgets everything at `limit` texts, so that a stream of new texts costs no memory. */
export const memoByText = <T>(answer: (text: string) => T, limit = 16_384): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const fresh = answer(text);
    if (known.size >= limit) known.clear();
    known.set(text, fresh);
    return fresh;
  };
};
