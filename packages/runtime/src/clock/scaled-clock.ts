import type { Clock } from './clock.ts';

/** A clock that runs `speed` times as fast as `base` from the moment it is made; its timers fire that much sooner. */
export const scaledClock = (base: Clock, speed: number): Clock => {
  const startMs = base.now();
  return {
    now: () => Math.round(startMs + (base.now() - startMs) * speed),
    setTimeout: (fire, delayMs) => base.setTimeout(fire, delayMs / speed),
    sleep: (delayMs, signal) => base.sleep(delayMs / speed, signal),
  };
};
