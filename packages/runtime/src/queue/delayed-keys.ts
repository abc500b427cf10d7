import type { Clock, TimerHandle } from '../clock/clock.ts';
import { keyedHeap } from './keyed-heap.ts';

/** A key that becomes due. */
export interface DelayedKey {
  readonly key: string;
  readonly priority: number;
  readonly dueAtMs: number;
}

/** Keys that wait for their time. A key waits once, for the earliest time it was given. */
export interface DelayedKeys {
  add(entry: DelayedKey): void;
  /** Takes a key out before its time; gives what waited. */
  remove(key: string): DelayedKey | undefined;
  /** No timer is left, and nothing becomes due any more. */
  clear(): void;
}

/** No keys; one timer at a time is set, for the earliest. `onDue` is called in order of due time. */
export const delayedKeys = (clock: Clock, onDue: (entry: DelayedKey) => void): DelayedKeys => {
  const waiting = keyedHeap<DelayedKey>((a, b) => a.dueAtMs - b.dueAtMs);
  let timer: { readonly handle: TimerHandle; readonly dueAtMs: number } | undefined;

  const arm = (): void => {
    const next = waiting.peek();
    if (timer !== undefined && timer.dueAtMs === next?.dueAtMs) return;
    timer?.handle.cancel();
    timer = next === undefined ? undefined : { handle: clock.setTimeout(fire, next.dueAtMs - clock.now()), dueAtMs: next.dueAtMs };
  };

  const fire = (): void => {
    timer = undefined;
    for (let next = waiting.peek(); next !== undefined && next.dueAtMs <= clock.now(); next = waiting.peek()) {
      waiting.pop();
      onDue(next);
    }
    arm();
  };

  return {
    add(entry) {
      const { priority = entry.priority, dueAtMs = entry.dueAtMs } = waiting.get(entry.key) ?? {};
      waiting.set({ key: entry.key, priority: Math.max(entry.priority, priority), dueAtMs: Math.min(entry.dueAtMs, dueAtMs) });
      arm();
    },
    remove(key) {
      const entry = waiting.get(key);
      waiting.delete(key);
      arm();
      return entry;
    },
    clear() {
      while (waiting.pop() !== undefined);
      arm();
    },
  };
};
