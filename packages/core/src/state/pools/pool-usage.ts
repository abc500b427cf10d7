import { addResources, subtractResources } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';

/** What a machine counts, and for which pool. */
export interface Share {
  readonly nodePoolName: string;
  readonly resources: Resources;
}

const NOTHING: Resources = {};

/** What the machines of each pool have together, kept up to date machine by machine. */
export class PoolUsage {
  readonly #total = new Map<string, Resources>();
  readonly #shares = new Map<string, Share>();

  /** Replaces what a machine, or whatever else is named so, counts; undefined: it counts no more. */
  set(machine: string, share: Share | undefined): void {
    const before = this.#shares.get(machine);
    if (before !== undefined) this.#total.set(before.nodePoolName, subtractResources(this.of(before.nodePoolName), before.resources));
    this.#shares.delete(machine);
    if (share === undefined) return;
    this.#shares.set(machine, share);
    this.#total.set(share.nodePoolName, addResources(this.of(share.nodePoolName), share.resources));
  }

  shareOf(machine: string): Share | undefined {
    return this.#shares.get(machine);
  }

  /** What the machines of all pools have together. */
  total(): Resources {
    return [...this.#total.values()].reduce(addResources, NOTHING);
  }

  of(nodePoolName: string): Resources {
    return this.#total.get(nodePoolName) ?? NOTHING;
  }
}

const sumByPool = (shares: readonly Share[]): ReadonlyMap<string, Resources> => {
  const sums = new Map<string, Resources>();
  for (const { nodePoolName, resources } of shares) sums.set(nodePoolName, addResources(sums.get(nodePoolName) ?? {}, resources));
  return sums;
};

/** What is more than nothing. */
const excess = (resources: Resources): Resources => Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount > 0));

/**
 * Pool → what machines that are to leave have beyond those that come for them. It counts against limits while the
 * exchange may be called off. Replacements count anyway, so the sum is the larger of both sides: limits hold
 * whichever stays.
 */
export const leavingExcess = (leaving: readonly Share[], coming: readonly Share[]): ReadonlyMap<string, Resources> => {
  const counted = sumByPool(coming);
  return new Map([...sumByPool(leaving)].map(([pool, sum]) => [pool, excess(subtractResources(sum, counted.get(pool) ?? {}))]));
};
