import type { Clock, TimerHandle } from '@karpenter/runtime';
import { ApiError } from '../../api/status/api-error.ts';

/** What a piece of work asks for: to be called again after so many milliseconds, or nothing. */
export type Again = number | undefined;

/** Keys waiting for their turn. A key that is added twice before its turn comes up once. */
export interface WorkLoop extends Disposable {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
}

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 10_000;
const KEYS_PER_SLICE = 100;

/**
 * Works keys off in the order in which they came, at most 100 in one turn of the event loop. A refusal of the API server (`ApiError`) is
 * retried with exponential backoff; any other error is a bug and is thrown.
 */
export const createWorkLoop = (clock: Clock, work: (key: string) => Again): WorkLoop => {
  const queue = new Set<string>();
  const delayed = new Map<string, { readonly atMs: number; readonly timer: TimerHandle }>();
  const failures = new Map<string, number>();
  let turn: TimerHandle | undefined;
  let isStopped = false;

  const attempt = (key: string): void => {
    try {
      const againMs = work(key);
      failures.delete(key);
      if (againMs !== undefined) addAfter(key, againMs);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** count, LONGEST_RETRY_MS));
    }
  };

  const takeTurn = (): void => {
    turn = undefined;
    let left = KEYS_PER_SLICE;
    for (const key of queue) {
      if (left === 0) break;
      left -= 1;
      queue.delete(key);
      attempt(key);
    }
    if (queue.size > 0) schedule();
  };

  const schedule = (): void => {
    if (!isStopped) turn ??= clock.setTimeout(takeTurn, 0);
  };

  const add = (key: string): void => {
    queue.add(key);
    schedule();
  };

  const addAfter = (key: string, delayMs: number): void => {
    if (isStopped) return;
    const atMs = clock.now() + delayMs;
    const waiting = delayed.get(key);
    if (waiting !== undefined && waiting.atMs <= atMs) return;
    waiting?.timer.cancel();
    const fire = (): void => {
      delayed.delete(key);
      add(key);
    };
    delayed.set(key, { atMs, timer: clock.setTimeout(fire, delayMs) });
  };

  const stop = (): void => {
    isStopped = true;
    turn?.cancel();
    for (const { timer } of delayed.values()) timer.cancel();
    delayed.clear();
    queue.clear();
  };
  return { add, addAfter, [Symbol.dispose]: stop };
};
