import { backoffMs } from '@karpenter/runtime';
import type { Clock, TimerHandle } from '@karpenter/runtime';
import { ApiError } from '@karpenter/api-server';

/** After how many milliseconds a key is worked on again; undefined: when it is added again. */
export type RequeueAfterMs = number | undefined;

/** Keys waiting for their turn. A key that is added twice before its turn comes up once. */
export interface WorkLoop extends Disposable {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
}

const RETRY = { baseMs: 50, maxMs: 10_000 };
const KEYS_PER_SLICE = 50;

class Loop implements WorkLoop {
  readonly #clock: Clock;
  readonly #work: (key: string) => RequeueAfterMs;
  readonly #queue = new Set<string>();
  readonly #delayed = new Map<string, { readonly atMs: number; readonly timer: TimerHandle }>();
  readonly #failures = new Map<string, number>();
  #turn: TimerHandle | undefined;
  #isStopped = false;

  constructor(clock: Clock, work: (key: string) => RequeueAfterMs) {
    this.#clock = clock;
    this.#work = work;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#queue.add(key);
    this.#turn ??= this.#clock.setTimeout(() => this.#takeTurn(), 0);
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    const atMs = this.#clock.now() + delayMs;
    const waiting = this.#delayed.get(key);
    if (waiting !== undefined && waiting.atMs <= atMs) return;
    waiting?.timer.cancel();
    const fire = (): void => {
      this.#delayed.delete(key);
      this.add(key);
    };
    this.#delayed.set(key, { atMs, timer: this.#clock.setTimeout(fire, delayMs) });
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#turn?.cancel();
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#queue.clear();
  }

  #takeTurn(): void {
    this.#turn = undefined;
    for (const key of [...this.#queue].slice(0, KEYS_PER_SLICE)) {
      this.#queue.delete(key);
      this.#attempt(key);
    }
    const [next] = this.#queue;
    if (next !== undefined) this.add(next);
  }

  #attempt(key: string): void {
    try {
      const requeueAfterMs = this.#work(key);
      this.#failures.delete(key);
      if (requeueAfterMs !== undefined) this.addAfter(key, requeueAfterMs);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const count = 1 + (this.#failures.get(key) ?? 0);
      this.#failures.set(key, count);
      this.addAfter(key, backoffMs(count, RETRY));
    }
  }
}

/**
 * Works keys off in the order in which they came, at most 50 in one turn of the event loop. A refusal of the API server
 * (`ApiError`) is retried with exponential backoff; any other error is a bug and is thrown.
 */
export const createWorkLoop = (clock: Clock, work: (key: string) => RequeueAfterMs): WorkLoop => new Loop(clock, work);
