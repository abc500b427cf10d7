import { setTimeout } from 'node:timers/promises';
import type { Transport } from '@karpenter/runtime';

const REST_MS = 1;
const QUIET_RESTS = 2;
/** A request that waits for the clock itself, for its turn, comes to no rest before time goes on. */
const MOST_RESTS_WITHOUT_ANSWER = 12;

/** The requests of a process that are on their way; watches, which never end, do not count. */
export class Traffic {
  #underway = 0;
  #answered = 0;

  counted(transport: Transport): Transport {
    const send: Transport['send'] = async (request) => {
      this.#underway += 1;
      try {
        return await transport.send(request);
      } finally {
        this.#underway -= 1;
        this.#answered += 1;
      }
    };
    return { ...transport, send };
  }

  /** Resolves when nothing is on its way, or what is does not come while the clock stands still. */
  async rest(): Promise<void> {
    let [quiet, unanswered, answered] = [0, 0, this.#answered];
    while (quiet < QUIET_RESTS && unanswered < MOST_RESTS_WITHOUT_ANSWER) {
      await setTimeout(REST_MS);
      unanswered = this.#answered === answered ? unanswered + 1 : 0;
      quiet = this.#underway === 0 && this.#answered === answered ? quiet + 1 : 0;
      answered = this.#answered;
    }
  }
}
