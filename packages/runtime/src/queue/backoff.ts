/** Exponential growth of a delay. */
export interface BackoffDelays {
  /** The delay after the first failure. */
  readonly baseMs: number;
  readonly maxMs: number;
}

/** The delay after the `failures`-th failure in a row (from 1): base, twice the base, … up to the maximum. 0 for none. */
export const backoffMs = (failures: number, { baseMs, maxMs }: BackoffDelays): number =>
  failures <= 0 ? 0 : Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 52));
