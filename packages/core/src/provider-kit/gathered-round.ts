import type { Clock } from '../ports/index.ts';

interface RoundPace<Q, A> {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly call: (requests: readonly Q[], signal: AbortSignal) => Promise<readonly A[]>;
}

interface Waiter<Q, A> {
  readonly request: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (reason: unknown) => void;
}

/** The requests of one call, from the first that comes to the answers. */
export class GatheredRound<Q, A> {
  readonly #pace: RoundPace<Q, A>;
  readonly #onClosed: () => void;
  readonly #untilMs: number;
  readonly #waiters = new Set<Waiter<Q, A>>();
  /** Aborted when nobody waits for the call that is under way. */
  readonly #interest = new AbortController();
  #timer: Disposable | undefined;
  #isClosed = false;

  constructor(pace: RoundPace<Q, A>, onClosed: () => void) {
    this.#pace = pace;
    this.#onClosed = onClosed;
    this.#untilMs = pace.clock.now() + pace.maxMs;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Puts off the call, and gives the answer to this request. */
  join(request: Q, signal: AbortSignal): Promise<A> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        if (this.#isClosed && this.#waiters.size === 0) this.#interest.abort(signal.reason);
        reject(signal.reason as Error);
      };
      const ending =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', leave);
          end(value);
        };
      const waiter = { request, resolve: ending(resolve), reject: ending(reject) };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      this.#putOff();
    });
  }

  /** Makes the call for those that have come. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#onClosed();
    if (this.#waiters.size > 0) void this.#run([...this.#waiters]);
  }

  #putOff(): void {
    const { clock, idleMs } = this.#pace;
    this.#timer?.[Symbol.dispose]();
    this.#timer = clock.setTimeout(() => this.close(), Math.min(idleMs, this.#untilMs - clock.now()));
  }

  async #run(asked: readonly Waiter<Q, A>[]): Promise<void> {
    try {
      const requests = asked.map(({ request }) => request);
      const answers = await this.#pace.call(requests, this.#interest.signal);
      if (answers.length !== asked.length) throw new Error(`${asked.length} requests got ${answers.length} answers`);
      for (const [index, answer] of answers.entries()) asked[index]?.resolve(answer);
    } catch (error) {
      for (const waiter of asked) waiter.reject(error);
    }
  }
}
