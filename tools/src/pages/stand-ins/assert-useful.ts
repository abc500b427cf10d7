class UselessCommandError extends Error {}

/** Throws unless the command that a page shows could work as it stands. */
export function assertUseful(isUseful: boolean, why: string): asserts isUseful {
  if (!isUseful) throw new UselessCommandError(why);
}
