/** A page shows a command that could not work as it stands. */
export class UselessCommandError extends Error {}

/** Throws unless the command could work. */
export function assertUseful(isUseful: boolean, why: string): asserts isUseful {
  if (!isUseful) throw new UselessCommandError(why);
}
