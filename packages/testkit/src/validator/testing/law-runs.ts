/** How often a law is tried. */
interface LawRuns {
  /** By `npm test`, always on the same examples. */
  readonly usual: number;
  /** By `pnpm laws`, and wherever else `LAWS_SEED` asks for other examples. */
  readonly all: number;
}

/** Whether this run draws examples of its own: then every law is tried in full, and a failure that it names is met again. */
const isInFull = process.env['LAWS_SEED'] !== undefined;

/** For laws that plan several times at each try. `usual` is as many as notice the faults that they are there for, and some more. */
export const lawRuns = ({ usual, all }: LawRuns): { readonly numRuns: number } => ({ numRuns: isInFull ? all : usual });
