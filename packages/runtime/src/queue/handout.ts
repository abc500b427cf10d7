import type { Clock } from '../clock/clock.ts';
import { readyKeys } from './ready-keys.ts';
import type { WorkQueueMetrics } from './work-queue.ts';

/** A key that may be given out. */
interface OfferedKey {
  readonly key: string;
  readonly priority: number;
}

/** Gives out keys that are due, none to two at a time. */
export interface Handout {
  /** A key that is being worked on is given out again after `done`. */
  readonly offer: (key: OfferedKey) => void;
  take(): Promise<string | undefined>;
  done(key: string): void;
  isWaiting(key: string): boolean;
  /** Everyone who takes gets `undefined` from now on. */
  close(): void;
  readonly depth: number;
}

/** Nothing to give out yet. */
export const handout = (clock: Clock, metrics: WorkQueueMetrics | undefined): Handout => {
  const ready = readyKeys();
  /** key → when it was taken. */
  const inFlight = new Map<string, number>();
  /** key → priority, of keys that became due while they were worked on. */
  const again = new Map<string, number>();
  /**
   * Who waits, the longest first. The last one is served: the memory of workers that a queue does not need stays untouched.
   */
  const takers: ((key: string | undefined) => void)[] = [];
  let isClosed = false;

  const takeNext = (): string | undefined => {
    const next = ready.take();
    if (next === undefined) return undefined;
    inFlight.set(next.key, clock.now());
    metrics?.waited(clock.now() - next.sinceMs);
    metrics?.depth(ready.size);
    return next.key;
  };

  const offer = ({ key, priority }: OfferedKey): void => {
    if (isClosed) return;
    if (inFlight.has(key)) return void again.set(key, Math.max(priority, again.get(key) ?? priority));
    ready.add({ key, priority, sinceMs: clock.now() });
    metrics?.depth(ready.size);
    takers.pop()?.(takeNext());
  };

  return {
    offer,
    take: () =>
      new Promise((resolve) => {
        if (isClosed) resolve(undefined);
        else if (ready.size > 0) resolve(takeNext());
        else takers.push(resolve);
      }),
    done(key) {
      const takenAtMs = inFlight.get(key);
      if (takenAtMs === undefined) throw new TypeError(`${key} is done, but it was not taken`);
      inFlight.delete(key);
      metrics?.worked(clock.now() - takenAtMs);
      const priority = again.get(key);
      again.delete(key);
      if (priority !== undefined) offer({ key, priority });
    },
    isWaiting: (key) => ready.has(key),
    close() {
      isClosed = true;
      for (const resolve of takers.splice(0)) resolve(undefined);
    },
    get depth() {
      return ready.size;
    },
  };
};
