/** Remembers how often in a row something failed, and so how long it is to be left alone. */
export interface FailureRecord {
  /** The time that it stays out: `ttlMs` the first time, doubled for each failure after the last time was over. */
  lengthenedMs(key: string, ttlMs: number): number;
  forget(key: string): void;
}

const DAY_MS = 24 * 3_600_000;

interface Failures {
  readonly count: number;
  readonly untilMs: number;
}

/**
 * What was requested together fails together: that counts once. `longestMs` is the most that failures in a row keep
 * something out; after as long without a failure it starts from zero.
 */
export const failureRecord = (clock: { now(): number }, longestMs = DAY_MS): FailureRecord => {
  const records = new Map<string, Failures>();
  return {
    lengthenedMs: (key, ttlMs) => {
      const now = clock.now();
      const known = records.get(key);
      const before = known !== undefined && known.untilMs + longestMs > now ? known : { count: -1, untilMs: 0 };
      const count = before.untilMs > now ? before.count : before.count + 1;
      const longMs = Math.max(ttlMs, Math.min(ttlMs * 2 ** count, longestMs));
      records.set(key, { count, untilMs: Math.max(now + longMs, before.untilMs) });
      return longMs;
    },
    forget: (key) => void records.delete(key),
  };
};
