import { performance } from 'node:perf_hooks';
import { type Clock, fakeClock, systemClock } from '@karpenter/runtime';

/** A clock that runs until it is stopped. */
export interface LeapingClock extends Clock {
  stop(): Promise<void>;
}

/**
 * What is under way on loopback sockets comes back in microseconds: a process that did nothing for so long waits for a
 * timer.
 */
const QUIET_MS = 1;
const IDLE_SHARE = 0.3;

/** Returns whether the event loop of this process was nearly idle since the last call. */
const idleness = (): (() => boolean) => {
  let last = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    return utilization < IDLE_SHARE;
  };
};

/**
 * A clock that keeps the pace of the machine's while this process works. It leaps to the next timer as soon as the
 * process has nothing to do: what is waited for takes no time, and a slow machine makes nothing late. All that is
 * waited for must be in this process. It begins at `startMs`, epoch ms.
 */
export const leapingClock = (startMs = systemClock.now()): LeapingClock => {
  const clock = fakeClock(startMs);
  const end = new AbortController();
  const isIdle = idleness();
  const run = async (): Promise<void> => {
    for (let lastMs = systemClock.now(); !end.signal.aborted;) {
      await systemClock.sleep(QUIET_MS);
      const nowMs = systemClock.now();
      const leapMs = isIdle() && clock.nextTimerAtMs !== undefined ? clock.nextTimerAtMs - clock.now() : 0;
      await clock.advance(Math.max(nowMs - lastMs, leapMs));
      lastMs = nowMs;
    }
  };
  const running = run();
  return {
    now: () => clock.now(),
    setTimeout: (fire, delayMs) => clock.setTimeout(fire, delayMs),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    stop: () => {
      end.abort();
      return running;
    },
  };
};
