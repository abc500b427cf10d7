import type { Clock } from './clock.ts';

/** Clocks that run apart by less were not set: they round differently, or are corrected little by little. */
const TOLERANCE_MS = 5_000;

/**
 * The time of a clock for as long as nobody sets that back; from then on, the time as if nobody had. Where it is set
 * forward, so is this. For deadlines within a process: where the machine's clock is set back by an hour, they would
 * come an hour late. Not for times that others read.
 */
export const steadyNow = (clock: Pick<Clock, 'now' | 'elapsed'>): (() => number) => {
  const elapsed = (): number => clock.elapsed?.() ?? clock.now();
  let since = { nowMs: clock.now(), elapsedMs: elapsed() };
  let setBackMs = 0;
  return () => {
    const [nowMs, elapsedMs] = [clock.now(), elapsed()];
    const behindMs = since.nowMs + (elapsedMs - since.elapsedMs) - nowMs;
    if (Math.abs(behindMs) > TOLERANCE_MS) {
      setBackMs += Math.max(0, behindMs);
      since = { nowMs, elapsedMs };
    }
    return nowMs + setBackMs;
  };
};

/** A clock that is never set back; see `steadyNow`. */
export const steadyClock = (clock: Clock): Clock => ({
  now: steadyNow(clock),
  setTimeout: (fire, delayMs) => clock.setTimeout(fire, delayMs),
  sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
});
