import type { Clock } from './clock.ts';

/** Clocks that differ by less count as equal: the header `Date` has whole seconds, and answers take their time. */
const TOLERANCE_MS = 5_000;
/**
 * Answers may have been on their way for long, and one server of several may be off: the clock is corrected once all
 * answers of so long, and so many, say the same.
 */
const AGREEING_MS = 10_000;
const AGREEING = 3;
/** A `Date` in whole seconds is half a second old on average. */
const HALF_SECOND_MS = 500;

/** A clock that shows the time of a server. */
export interface ServerClock extends Clock {
  /** Takes note of the header `Date` of an answer that has just come. */
  readonly noteDate: (date: string) => void;
}

/** Answers in a row that say the same of a clock. */
interface Difference {
  readonly byMs: number;
  readonly answers: number;
  /** When the first of them came, by `elapsed`. */
  readonly sinceMs: number;
}

/** What is said with one more answer; undefined: that the clock is right. */
const agreed = (before: Difference | undefined, byMs: number, nowMs: number): Difference | undefined => {
  if (Math.abs(byMs) <= TOLERANCE_MS) return undefined;
  const isSame = before !== undefined && Math.abs(before.byMs - byMs) <= TOLERANCE_MS;
  return isSame ? { ...before, answers: before.answers + 1 } : { byMs, answers: 1, sinceMs: nowMs };
};

/**
 * The machine's clock, corrected by the time that a server states in its answers. Between answers it runs on steadily,
 * even if somebody sets the machine's clock. For what is compared with timestamps of that server. A clock that nobody
 * sets (without `elapsed`) is not corrected. `onCorrected`: called with the milliseconds that the time was moved by.
 */
export const serverClock = (machine: Clock, onCorrected?: (byMs: number) => void): ServerClock => {
  const timers = {
    setTimeout: (fire: () => void, delayMs: number) => machine.setTimeout(fire, delayMs),
    sleep: (delayMs: number, signal?: AbortSignal) => machine.sleep(delayMs, signal),
  };
  const elapsed = machine.elapsed?.bind(machine);
  if (elapsed === undefined) return { ...timers, now: () => machine.now(), noteDate: () => undefined };

  let aheadMs = machine.now() - elapsed();
  let isFirst = true;
  let differing: Difference | undefined;
  const now = (): number => Math.round(elapsed() + aheadMs);
  return {
    ...timers,
    now,
    elapsed,
    noteDate: (date) => {
      const byMs = Date.parse(date) + HALF_SECOND_MS - now();
      if (Number.isNaN(byMs)) return;
      differing = agreed(differing, byMs, elapsed());
      const isDue = differing !== undefined && (isFirst || (differing.answers >= AGREEING && elapsed() >= differing.sinceMs + AGREEING_MS));
      isFirst = false;
      if (!isDue) return;
      aheadMs += byMs;
      differing = undefined;
      onCorrected?.(byMs);
    },
  };
};
