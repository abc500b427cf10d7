import type { Clock } from '../../clock/clock.ts';

/** How fast requests may go: `perSecond` in the long run, `burst` at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Spreads requests over time. */
export interface TokenBucket {
  /** Resolves when one more request may go, first come first served; rejects when the signal is aborted first. */
  take(signal?: AbortSignal): Promise<void>;
  /** Takes one if it is there now. */
  tryTake(): boolean;
}

/** A bucket that starts full and refills steadily. A taker reserves its token at once and sleeps until it is due. */
export const tokenBucket = (clock: Clock, { perSecond, burst }: Rate): TokenBucket => {
  let tokens = burst;
  let filledAtMs = clock.now();

  const refill = (): void => {
    const nowMs = clock.now();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * perSecond);
    filledAtMs = nowMs;
  };

  return {
    async take(signal) {
      refill();
      tokens -= 1;
      if (tokens >= 0) return;
      try {
        await clock.sleep((-tokens / perSecond) * 1000, signal);
      } catch (error) {
        tokens += 1;
        throw error;
      }
    },
    tryTake() {
      refill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
};
