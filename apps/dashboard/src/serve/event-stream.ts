import type { ServerResponse } from 'node:http';
import type { Clock, Logger } from '@karpenter/runtime';
import type { DashboardState } from '../state/dashboard-state.ts';
import { changeBetween } from '../state/state-feed.ts';

const WATCHED_MS = 1_000;
/** Without a watcher the state is read for the prices alone. */
const UNWATCHED_MS = 10_000;
/** A browser that does not read is hung up on: what is sent waits in memory. */
const MOST_BUFFERED_BYTES = 16 * 1024 ** 2;

export interface EventStreamOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly read: () => DashboardState;
}

/** Sends the state to each who listens, and then what changes, at most once a second. */
export class EventStream {
  readonly #listeners = new Set<ServerResponse>();
  readonly #options: EventStreamOptions;
  #last: DashboardState | undefined;
  #nextReadMs = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** Answers with an open stream of events. */
  open(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#publish();
    response.write(this.#event('state', this.#last));
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
  }

  /** Runs until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        if (this.#listeners.size > 0 || clock.now() >= this.#nextReadMs) this.#publish();
      } catch (error) {
        // A page that stands still must not end the controller.
        logger.warn('the state for the dashboard could not be read', { error });
      }
      await clock.sleep(WATCHED_MS, signal).catch(() => undefined);
    }
  }

  #publish(): void {
    const { clock, read } = this.#options;
    this.#nextReadMs = clock.now() + UNWATCHED_MS;
    const [before, state] = [this.#last, read()];
    this.#last = state;
    if (before === undefined || this.#listeners.size === 0) return;
    const change = changeBetween(before, state);
    if (change === undefined) return;
    const text = this.#event('change', change);
    for (const listener of this.#listeners) {
      if (listener.writableLength > MOST_BUFFERED_BYTES) listener.destroy();
      else listener.write(text);
    }
  }

  #event(name: string, data: unknown): string {
    return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
