import type { Clock } from '../../clock/clock.ts';
import { steadyNow } from '../../clock/steady-clock.ts';

/** How fast requests may go: `perSecond` in the long run, `burst` at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Tokens of a bucket that starts full and refills steadily; below zero, as many are taken in advance. */
export class TokenLevel {
  readonly #now: () => number;
  readonly #rate: Rate;
  #tokens: number;
  /** In the future while nothing refills. */
  #filledAtMs: number;

  constructor(clock: Pick<Clock, 'now'>, rate: Rate) {
    this.#now = steadyNow(clock);
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAtMs = this.#now();
  }

  get left(): number {
    const nowMs = this.#now();
    if (nowMs > this.#filledAtMs) {
      const { burst, perSecond } = this.#rate;
      this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledAtMs) / 1000) * perSecond);
      this.#filledAtMs = nowMs;
    }
    return this.#tokens;
  }

  /** How long nothing refills; 0 as a rule. */
  get pausedMs(): number {
    return Math.max(0, this.#filledAtMs - this.#now());
  }

  /** Takes a token; returns how long until it is due. */
  takeMs(): number {
    this.#tokens = this.left - 1;
    return this.pausedMs + this.#untilMs(0);
  }

  putBack(): void {
    this.#tokens += 1;
  }

  /** Takes a token if there is one now; else returns how long until there is. */
  tryTakeMs(): number {
    if (this.left < 1) return this.pausedMs + this.#untilMs(1);
    this.#tokens -= 1;
    return 0;
  }

  /** At most so many are left. */
  cap(most: number): void {
    this.#tokens = Math.min(this.left, most);
  }

  /** One token is left, and for so long no more come. */
  pauseFor(ms: number): void {
    this.#tokens = 1;
    this.#filledAtMs = this.#now() + ms;
  }

  #untilMs(tokens: number): number {
    return Math.max(0, ((tokens - this.#tokens) / this.#rate.perSecond) * 1000);
  }
}

/** Spreads requests over time. */
export interface TokenBucket {
  /** Resolves when one more request may go, first come first served; rejects when the signal is aborted first. */
  take(signal?: AbortSignal): Promise<void>;
  /** Takes one if it is there now. */
  tryTake(): boolean;
}

/** A bucket that starts full and refills steadily. A taker reserves its token at once and sleeps until it is due. */
export const tokenBucket = (clock: Clock, rate: Rate): TokenBucket => {
  const level = new TokenLevel(clock, rate);
  return {
    async take(signal) {
      const waitMs = level.takeMs();
      if (waitMs === 0) return;
      try {
        await clock.sleep(waitMs, signal);
      } catch (error) {
        level.putBack();
        throw error;
      }
    },
    tryTake: () => level.tryTakeMs() === 0,
  };
};
