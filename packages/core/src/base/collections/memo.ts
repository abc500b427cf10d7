/** Remembers the answers of a pure function of an object that nobody changes, as long as the object is in use. */
export const memoByObject = <K extends object, V>(answer: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const fresh = answer(key);
    known.set(key, fresh);
    return fresh;
  };
};

/**
 * Remembers the answers of a pure function of a text. Forgets everything at `limit` texts, so that a stream of new
 * texts costs no memory.
 */
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
