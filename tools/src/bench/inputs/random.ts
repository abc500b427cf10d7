/** A stream of numbers that is the same on every run and machine. */
export interface Random {
  /** An integer from 0 to `below - 1`. */
  readonly below: (below: number) => number;
  readonly oneOf: <T>(list: readonly T[]) => T;
  /** exp(N(mean, deviation)). */
  readonly logNormal: (mean: number, deviation: number) => number;
}

/** Mulberry32. */
export const inputRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    oneOf: (list) => {
      const chosen = list[below(list.length)];
      if (chosen === undefined) throw new RangeError('oneOf needs a list that is not empty');
      return chosen;
    },
    logNormal: (mean, deviation) => Math.exp(mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
  };
};
