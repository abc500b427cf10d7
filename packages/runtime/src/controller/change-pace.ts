import type { Clock } from '../clock/clock.ts';
import { steadyNow } from '../clock/steady-clock.ts';

/** So many reconciles of a key in a row are due at once; an object that comes or goes has fewer changes. */
const AT_ONCE = 100;
/** Then its changes make it due once in so long. */
const PERIOD_MS = 1_000;

/**
 * When changes make a key due: at once, unless it was reconciled `AT_ONCE` times lately. Somebody may take back what a
 * reconcile writes, or edit an object all the time. Without this, it would be reconciled and written as fast as the API
 * server answers. Memory: an entry for each key that was reconciled within `AT_ONCE` periods.
 */
export class ChangePace {
  readonly #now: () => number;
  /** Key → when its reconciles so far would be over, one in each period; epoch ms. The last one reconciled comes last. */
  readonly #busyUntilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#now = steadyNow(clock);
  }

  /** The key is reconciled now. */
  reconciled(key: string): void {
    const nowMs = this.#now();
    const untilMs = Math.max(nowMs, this.#busyUntilMs.get(key) ?? nowMs) + PERIOD_MS;
    this.#busyUntilMs.delete(key);
    this.#busyUntilMs.set(key, Math.min(untilMs, nowMs + AT_ONCE * PERIOD_MS));
    for (const [other, endMs] of this.#busyUntilMs) {
      if (endMs > nowMs) break;
      this.#busyUntilMs.delete(other);
    }
  }

  /** In how many milliseconds a change makes the key due. */
  waitMs(key: string): number {
    const nowMs = this.#now();
    return Math.max(0, (this.#busyUntilMs.get(key) ?? nowMs) - nowMs - (AT_ONCE - 1) * PERIOD_MS);
  }
}
