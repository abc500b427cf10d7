/** How urgent a key is and when it is due. */
export interface AddOptions {
  /** Higher goes first; 0 when left out. A key that waits keeps the highest that it was added with. */
  readonly priority?: number;
  /** Not before so long from now. */
  readonly afterMs?: number;
}

/** Called with what happens in a queue. */
export interface WorkQueueMetrics {
  depth(waiting: number): void;
  /** Time from being due to being taken. */
  waited(ms: number): void;
  /** Time from `take` to `done`. */
  worked(ms: number): void;
  retried(): void;
}

/**
 * Keys that need work.
 *
 * Guarantees: a key waits at most once; it is never taken by two at a time; one that is added while it is worked on is
 * given out again after `done`. Equal priority goes first come, first served.
 */
export interface WorkQueue {
  add(key: string, options?: AddOptions): void;
  /** Adds the key after its exponential backoff, which grows with each call until `forget`. */
  retry(key: string): void;
  /** Resets the key's backoff. */
  forget(key: string): void;
  /** The next key; `undefined` when the queue was shut down. Each key taken must be given back by `done`. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** No key is given out or accepted any more. */
  shutDown(): void;
  /** Keys that are due and wait. */
  readonly depth: number;
}
