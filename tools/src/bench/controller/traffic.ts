import { subscribe } from 'node:diagnostics_channel';
import { setTimeout } from 'node:timers/promises';

const REST_MS = 1;
const QUIET_RESTS = 2;

const isWatch = (message: unknown): boolean => (message as { readonly request: { readonly path: string } }).request.path.includes('watch=');

/** The requests of this process that are on their way; watches, which never end, do not count. */
export class Traffic {
  #underway = 0;
  #answered = 0;

  /** Counts from now on. */
  constructor() {
    const onEnd = (message: unknown): void => {
      if (isWatch(message)) return;
      this.#underway -= 1;
      this.#answered += 1;
    };
    subscribe('undici:request:create', (message) => {
      if (!isWatch(message)) this.#underway += 1;
    });
    subscribe('undici:request:trailers', onEnd);
    subscribe('undici:request:error', onEnd);
  }

  /** Resolves when nothing is on its way. */
  async rest(): Promise<void> {
    let [quiet, answered] = [0, this.#answered];
    while (quiet < QUIET_RESTS) {
      await setTimeout(REST_MS);
      quiet = this.#underway === 0 && this.#answered === answered ? quiet + 1 : 0;
      answered = this.#answered;
    }
  }
}
