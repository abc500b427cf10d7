import type { Interruption } from '@karpenter/core';
import type { InterruptionMessage } from '@karpenter/core/internal';

/**
 * A queue of what the simulated cloud announces, as `interruptionFeed` receives it: a message comes again until it is done.
 */
export class CloudAnnouncements {
  readonly #open = new Set<InterruptionMessage>();

  /** The cloud says that it takes the machine away. */
  announce(providerId: string, interruption: Interruption): void {
    const message: InterruptionMessage = {
      providerId,
      interruption,
      done: () => {
        this.#open.delete(message);
        return Promise.resolve();
      },
    };
    this.#open.add(message);
  }

  receive(): Promise<readonly InterruptionMessage[]> {
    return Promise.resolve([...this.#open]);
  }
}
