import type { Clock } from '../ports/index.ts';

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** How long to wait before try number `tries + 1`: doubles from `firstMs` to `maxMs`. */
const backoffMs = (tries: number, { firstMs, maxMs }: BackoffOptions): number => Math.min(maxMs, firstMs * 2 ** Math.max(0, tries - 1));

/** Remembers for each key how often it failed and when it may be tried again. */
export class Backoff {
  readonly #clock: Clock;
  readonly #options: BackoffOptions;
  readonly #failures = new Map<string, { readonly tries: number; readonly notBeforeMs: number }>();

  constructor(clock: Clock, options: BackoffOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Milliseconds until the key may be tried; 0 when it may now. */
  remainingMs(key: string): number {
    return Math.max(0, (this.#failures.get(key)?.notBeforeMs ?? 0) - this.#clock.now());
  }

  /** Counts a failure; `atLeastMs` where the other side named a time. Gives the milliseconds to wait. */
  failed(key: string, atLeastMs = 0): number {
    const tries = (this.#failures.get(key)?.tries ?? 0) + 1;
    const waitMs = Math.max(atLeastMs, backoffMs(tries, this.#options));
    this.#failures.set(key, { tries, notBeforeMs: this.#clock.now() + waitMs });
    return waitMs;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
