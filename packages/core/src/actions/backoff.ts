import { backoffMs } from '@karpenter/runtime';
import type { BackoffDelays } from '@karpenter/runtime';
import type { Clock } from '../ports/index.ts';

/** After this many longest waits a key is forgotten. */
const FORGET_AFTER = 10;

/**
 * Remembers for each key how often it failed and when it may be tried again; keys that are not tried any more are
 * forgotten.
 */
export class Backoff {
  readonly #clock: Clock;
  readonly #delays: BackoffDelays;
  readonly #failures = new Map<string, { readonly tries: number; readonly notBeforeMs: number; readonly why: string | undefined }>();

  constructor(clock: Clock, delays: BackoffDelays) {
    this.#clock = clock;
    this.#delays = delays;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /** Milliseconds until the key may be tried; 0 when it may now. */
  remainingMs(key: string): number {
    return Math.max(0, (this.#failures.get(key)?.notBeforeMs ?? 0) - this.#clock.now());
  }

  /** The reason of the last failure, as `failed` was given it. */
  reasonOf(key: string): string | undefined {
    return this.#failures.get(key)?.why;
  }

  /** Counts a failure; `atLeastMs` where the other side named a time. Gives the milliseconds to wait. */
  failed(key: string, atLeastMs = 0, why?: string): number {
    this.#forgetPast();
    const tries = (this.#failures.get(key)?.tries ?? 0) + 1;
    const waitMs = Math.max(atLeastMs, backoffMs(tries, this.#delays));
    this.#failures.set(key, { tries, notBeforeMs: this.#clock.now() + waitMs, why });
    return waitMs;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Forgets keys that could have been tried again long ago but were not: their objects are gone. */
  #forgetPast(): void {
    const longAgoMs = this.#clock.now() - FORGET_AFTER * this.#delays.maxMs;
    for (const [key, { notBeforeMs }] of this.#failures) if (notBeforeMs < longAgoMs) this.#failures.delete(key);
  }
}
