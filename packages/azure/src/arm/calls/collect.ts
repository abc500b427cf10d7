/** All items of all pages. */
export const collect = async <T>(pages: AsyncIterable<T>): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
};
