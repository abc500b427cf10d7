import type { Clock } from './clock.ts';
import { yieldToEventLoop } from './in-slices.ts';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves time forward, firing due timers in order of their due time (then of their setting), timers they set included.
   * Between two timers the event loop turns a few times, so that promises settle. Work that waits for real I/O may need
   * more turns than that.
   */
  advance(ms: number): Promise<void>;
  /** Timers that are set and have not fired. */
  readonly pendingTimers: number;
  /** When the first of them is due; undefined when none is set. */
  readonly nextTimerAtMs: number | undefined;
}

interface Timer {
  readonly dueAtMs: number;
  readonly fire: () => void;
}

const SETTLING_TURNS = 3;

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < SETTLING_TURNS; turn += 1) await yieldToEventLoop();
};

/** Sets a timer; what it returns takes it away again. */
type SetTimer = (fire: () => void, delayMs: number) => () => void;

const sleepingBy =
  (set: SetTimer): Clock['sleep'] =>
  (delayMs, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      const cancel = set(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, delayMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });

/** A clock that says `startMs` until it is advanced. */
export const fakeClock = (startMs = Date.UTC(2026, 0, 1)): FakeClock => {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  const earliest = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.dueAtMs < first.dueAtMs) first = timer;
    return first;
  };

  const set: SetTimer = (fire, delayMs) => {
    const timer = { dueAtMs: nowMs + Math.max(delayMs, 0), fire };
    timers.add(timer);
    return () => void timers.delete(timer);
  };

  return {
    now: () => nowMs,
    setTimeout: (fire, delayMs) => {
      const cancel = set(fire, delayMs);
      return { cancel, [Symbol.dispose]: cancel };
    },
    sleep: sleepingBy(set),
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await settle();
      for (let due = earliest(); due !== undefined && due.dueAtMs <= untilMs; due = earliest()) {
        timers.delete(due);
        nowMs = due.dueAtMs;
        due.fire();
        await settle();
      }
      nowMs = untilMs;
    },
    get pendingTimers() {
      return timers.size;
    },
    get nextTimerAtMs() {
      return earliest()?.dueAtMs;
    },
  };
};
