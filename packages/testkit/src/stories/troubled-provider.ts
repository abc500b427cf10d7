import { CloudProviderError } from '@karpenter/core';
import type { CloudProvider, Interruption, Node } from '@karpenter/core';
import type { Clock } from '@karpenter/runtime';

/** On a node: when the cloud takes its machine away, in milliseconds of Unix time. */
export const LEAVES_AT_ANNOTATION = 'simulated.test/leaves-at';

const interruptionOf = ({ metadata }: Node): Interruption | undefined => {
  const leavesAt = metadata.annotations?.[LEAVES_AT_ANNOTATION];
  return leavesAt === undefined ? undefined : { reason: 'Preempt', deadlineMs: Number(leavesAt) };
};

/**
 * A cloud whose answers to writes are late or get lost for a while, and that announces on nodes which machines it takes
 * away.
 */
export class TroubledProvider {
  readonly #clock: Clock;
  readonly #random: () => number;
  #lost = 0;
  #lateMs = 0;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: () => number }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Every call is carried out; in this percentage of cases its answer is lost. */
  loseAnswers(percent: number): Disposable {
    this.#lost = percent / 100;
    return { [Symbol.dispose]: () => void (this.#lost = 0) };
  }

  /** Answers come so much later than what they are about is done. */
  delayAnswers(byMs: number): Disposable {
    this.#lateMs = byMs;
    return { [Symbol.dispose]: () => void (this.#lateMs = 0) };
  }

  /** The provider that behaves so. */
  of(inner: CloudProvider): CloudProvider {
    return {
      ...{ name: inner.name, getSupportedNodeClasses: () => inner.getSupportedNodeClasses(), labelCatalog: inner.labelCatalog },
      repairPolicies: inner.repairPolicies,
      create: (claim, options) => this.#answered(() => inner.create(claim, options), options.signal),
      delete: (claim, options) => this.#answered(() => inner.delete(claim, options), options.signal),
      get: (providerId, options) => inner.get(providerId, options),
      list: (options) => inner.list(options),
      getInstanceTypes: (pool, options) => inner.getInstanceTypes(pool, options),
      isDrifted: (claim, options) => inner.isDrifted(claim, options),
      interruptionOf,
    };
  }

  async #answered<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const answer = await call();
    if (this.#lateMs > 0) await this.#clock.sleep(this.#lateMs, signal);
    if (this.#random() < this.#lost) throw new CloudProviderError('network', 'the answer of the cloud was lost');
    return answer;
  }
}
