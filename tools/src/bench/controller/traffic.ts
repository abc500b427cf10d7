import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const REST_MS = 1;
const QUIET_RESTS = 2;

const requestOf = (message: unknown): ClientRequest => (message as { readonly request: ClientRequest }).request;

/** The requests of this process that are on their way; watches, which never end, do not count. */
export class Traffic {
  #underway = 0;
  #answered = 0;

  /** Counts from now on. */
  constructor() {
    subscribe('http.client.request.created', (message) => {
      const request = requestOf(message);
      if (request.path.includes('watch=')) return;
      this.#underway += 1;
      request.once('close', () => {
        this.#underway -= 1;
        this.#answered += 1;
      });
    });
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
