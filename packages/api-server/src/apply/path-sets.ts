/** Members of the first set that the second lacks. */
export const difference = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...a].filter((path) => !b.has(path)));

/** Members of both sets. */
export const commonPaths = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...a].filter((path) => b.has(path)));

/** Members of either set. */
export const union = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> => new Set([...a, ...b]);
