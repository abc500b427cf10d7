/** A task that waits for its turn. */
interface Waiting {
  readonly start: () => void;
}

/**
 * Runs so many tasks at once; the others wait, and keys take turns: however many tasks one key has, one of another key
 * waits for one round of the keys at most. Memory: an entry for each task that waits.
 */
export class Turns {
  readonly #most: number;
  #running = 0;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Settles as the task does. Rejects with the signal's reason, and never starts the task, when aborted while it waits. */
  async run<T>(key: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#most) this.#running += 1;
    else await this.#turnOf(key, signal);
    try {
      return await task();
    } finally {
      this.#handOn();
    }
  }

  #turnOf(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const all = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, all);
      const abandon = (): void => {
        this.#remove(key, waiting);
        // The reason of a signal is an error unless its owner chose another value.
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', abandon);
          resolve();
        },
      };
      all.add(waiting);
      signal.addEventListener('abort', abandon, { once: true });
    });
  }

  /** The place of a task that ended goes to the next in turn. */
  #handOn(): void {
    for (const [key, all] of this.#waiting) {
      for (const next of all) {
        this.#remove(key, next);
        const left = this.#waiting.get(key);
        if (left !== undefined) {
          this.#waiting.delete(key);
          this.#waiting.set(key, left);
        }
        next.start();
        return;
      }
    }
    this.#running -= 1;
  }

  #remove(key: string, waiting: Waiting): void {
    const all = this.#waiting.get(key);
    all?.delete(waiting);
    if (all?.size === 0) this.#waiting.delete(key);
  }
}
