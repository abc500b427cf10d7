/** Everything that an async iterable gives, in order. */
export const collectPages = async <T>(source: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
};
