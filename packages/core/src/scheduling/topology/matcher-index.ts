import { indexKeysOf } from './pod-matcher.ts';
import type { PodIdentity, PodMatcher } from './pod-matcher.ts';

interface Matching {
  readonly matcher: PodMatcher;
}

/**
 * Matchers by what the pods that they select must have, so that a pod is compared with few of them, and not with those
 * of other labels.
 */
export class MatcherIndex<T extends Matching> {
  readonly #byKey = new Map<string, T[]>();
  /** Those that may select any pod. */
  readonly #others: T[] = [];

  /** Enters it by the set of keys that finds the fewest others: one label may be shared by all of them, another by none. */
  add(entry: T): void {
    let best: readonly string[] | undefined;
    let leastCost = Infinity;
    for (const keys of entry.matcher.indexKeys) {
      const cost = keys.reduce((sum, key) => sum + 1 + (this.#byKey.get(key)?.length ?? 0), 0);
      if (cost < leastCost) [best, leastCost] = [keys, cost];
    }
    if (best === undefined) this.#others.push(entry);
    for (const key of new Set(best)) {
      const found = this.#byKey.get(key);
      if (found === undefined) this.#byKey.set(key, [entry]);
      else found.push(entry);
    }
  }

  /** All that select the pod, in no particular order. Costs the labels of the pod and those that share a key with it. */
  selecting(pod: PodIdentity): T[] {
    const found = this.#others.filter(({ matcher }) => matcher.matches(pod));
    // Odd labels may share a key.
    for (const key of new Set(indexKeysOf(pod))) {
      for (const entry of this.#byKey.get(key) ?? []) if (entry.matcher.matches(pod)) found.push(entry);
    }
    return found;
  }
}
