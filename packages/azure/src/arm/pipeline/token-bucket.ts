import { type Rate, TokenLevel } from '@karpenter/runtime';

/** Lets so many calls through at once, and then so many a second. */
export interface ArmTokenBucket {
  /** How long the next call has to wait; takes its place in the queue. */
  takeMs(): number;
  /** Leaves the queue: the place that was taken last is not used. */
  putBack(): void;
  /** How long nothing goes through; 0 when the bucket is open. */
  closedMs(): number;
  /** How often it was closed. Whoever took a place before the last time has to take a new one. */
  closings(): number;
  /** Nothing goes through for so long, and then one after the other. */
  closeFor(ms: number): void;
  /** The server says how many calls are left; fewer than the bucket thought counts. */
  cap(remaining: number): void;
}

/** A full bucket. Source of the sizes that are used: ARM's own buckets per subscription and principal. */
export const armTokenBucket = (rate: Rate, clock: { now(): number }): ArmTokenBucket => {
  const level = new TokenLevel(clock, rate);
  let closings = 0;
  return {
    takeMs: () => level.takeMs(),
    putBack: () => {
      level.putBack();
    },
    closedMs: () => level.pausedMs,
    closings: () => closings,
    closeFor: (ms) => {
      if (ms <= level.pausedMs) return;
      closings += 1;
      level.pauseFor(ms);
    },
    cap: (remaining) => {
      level.cap(remaining);
    },
  };
};
