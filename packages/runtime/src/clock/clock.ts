/** A clock that runs `speed` times as fast as `base` from the moment it is made; its timers fire that much sooner. */
export const scaledClock = (base: Clock, speed: number): Clock => {
  const startMs = base.now();
  return {
    now: () => Math.round(startMs + (base.now() - startMs) * speed),
    setTimeout: (fire, delayMs) => base.setTimeout(fire, delayMs / speed),
    sleep: (delayMs, signal) => base.sleep(delayMs / speed, signal),
  };
};

/** A timer that was set. Cancelling one that fired or was cancelled does nothing. */
export interface TimerHandle extends Disposable {
  cancel(): void;
}

/** Where every time and every timer comes from, so that tests advance it instead of sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment, whoever sets the clock meanwhile. Left out: nobody sets this clock. */
  elapsed?(): number;
  /** Calls `fire` once after `delayMs`; 0 or less means as soon as the event loop turns. */
  setTimeout(fire: () => void, delayMs: number): TimerHandle;
  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}
