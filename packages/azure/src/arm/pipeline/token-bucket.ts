/** Lets so many calls through at once, and then so many a second. */
export interface ArmTokenBucket {
  /** How long the next call has to wait; takes its place in the queue. */
  takeMs(): number;
  /** Leaves the queue: the place that was taken last is not used. */
  giveBack(): void;
  /** How long nothing goes through; 0 when the bucket is open. */
  closedMs(): number;
  /** How often it was closed. Whoever took a place before the last time has to take a new one. */
  closings(): number;
  /** Nothing goes through before `untilMs`, and then one after the other. */
  closeUntil(untilMs: number): void;
  /** The server says how many calls are left; fewer than the bucket thought counts. */
  cap(remaining: number): void;
}

export interface TokenBucketSize {
  readonly burst: number;
  readonly perSecond: number;
}

/** A full bucket. Source of the sizes that are used: ARM's own buckets per subscription and principal. */
export const armTokenBucket = ({ burst, perSecond }: TokenBucketSize, clock: { now(): number }): ArmTokenBucket => {
  let tokens = burst;
  /** In the future while the bucket is closed. */
  let filledAtMs = clock.now();
  let closings = 0;

  const fill = (): void => {
    const now = clock.now();
    if (now <= filledAtMs) return;
    tokens = Math.min(burst, tokens + ((now - filledAtMs) / 1000) * perSecond);
    filledAtMs = now;
  };
  const closedMs = (): number => Math.max(0, filledAtMs - clock.now());
  return {
    takeMs: () => {
      fill();
      tokens -= 1;
      return closedMs() + (tokens >= 0 ? 0 : (-tokens / perSecond) * 1000);
    },
    giveBack: () => {
      tokens += 1;
    },
    closedMs,
    closings: () => closings,
    closeUntil: (untilMs) => {
      if (untilMs <= Math.max(filledAtMs, clock.now())) return;
      closings += 1;
      tokens = 1;
      filledAtMs = untilMs;
    },
    cap: (remaining) => {
      fill();
      tokens = Math.min(tokens, remaining);
    },
  };
};
