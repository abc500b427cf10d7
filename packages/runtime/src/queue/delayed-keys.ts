import type { Clock, TimerHandle } from '../clock/clock.ts';
import { heap } from './heap.ts';

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
  clear(): void;
}

/** No keys; one timer at a time is set, for the earliest. `onDue` is called in order of due time. */
export const delayedKeys = (clock: Clock, onDue: (entry: DelayedKey) => void): DelayedKeys => {
  const order = heap<DelayedKey>((a, b) => a.dueAtMs - b.dueAtMs);
  const current = new Map<string, DelayedKey>();
  let timer: { readonly handle: TimerHandle; readonly dueAtMs: number } | undefined;

  /** Superseded entries stay in the heap until they reach its top. */
  const earliest = (): DelayedKey | undefined => {
    for (let top = order.peek(); top !== undefined; top = order.peek()) {
      if (current.get(top.key) === top) return top;
      order.pop();
    }
    return undefined;
  };

  const arm = (): void => {
    const next = earliest();
    if (timer !== undefined && timer.dueAtMs === next?.dueAtMs) return;
    timer?.handle.cancel();
    timer = next === undefined ? undefined : { handle: clock.setTimeout(fire, next.dueAtMs - clock.now()), dueAtMs: next.dueAtMs };
  };

  const fire = (): void => {
    timer = undefined;
    for (let next = earliest(); next !== undefined && next.dueAtMs <= clock.now(); next = earliest()) {
      current.delete(next.key);
      onDue(next);
    }
    arm();
  };

  return {
    add(entry) {
      const old = current.get(entry.key);
      const merged = {
        key: entry.key,
        priority: Math.max(entry.priority, old?.priority ?? entry.priority),
        dueAtMs: Math.min(entry.dueAtMs, old?.dueAtMs ?? entry.dueAtMs),
      };
      current.set(entry.key, merged);
      order.push(merged);
      arm();
    },
    remove(key) {
      const entry = current.get(key);
      current.delete(key);
      arm();
      return entry;
    },
    clear() {
      current.clear();
      arm();
    },
  };
};
