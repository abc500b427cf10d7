/** Lets so many calls through at once, and then so many a second. */
export interface TokenBucket {
  /** How long the next call has to wait; takes its place in the queue. */
  takeMs(): number;
  /** Nothing goes through before `untilMs`. */
  closeUntil(untilMs: number): void;
  /** The server says how many calls are left; fewer than the bucket thought counts. */
  cap(remaining: number): void;
}

export interface TokenBucketSize {
  readonly burst: number;
  readonly perSecond: number;
}

/** A full bucket. Source of the sizes that are used: ARM's own buckets per subscription and principal. */
export const tokenBucket = ({ burst, perSecond }: TokenBucketSize, clock: { now(): number }): TokenBucket => {
  let tokens = burst;
  let filledAtMs = clock.now();
  let closedUntilMs = 0;

  const fill = (): void => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - filledAtMs) / 1000) * perSecond);
    filledAtMs = now;
  };
  return {
    takeMs: () => {
      fill();
      tokens -= 1;
      const untilToken = tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
      return Math.max(untilToken, closedUntilMs - clock.now(), 0);
    },
    closeUntil: (untilMs) => {
      closedUntilMs = Math.max(closedUntilMs, untilMs);
    },
    cap: (remaining) => {
      fill();
      tokens = Math.min(tokens, remaining);
    },
  };
};
