/** The named fields of an object, those that are there; undefined ones are left out. */
export const pick = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> => {
  const picked: Partial<T> = {};
  for (const name of names) if (object[name] !== undefined) picked[name] = object[name];
  return picked as Pick<T, K>;
};
