interface Result {
  readonly claimId: string;
  readonly isRegistered: boolean;
}

/** As many as count. */
const LENGTH = 4;
/** So many of them failed: the pool is not healthy. */
const TOO_MANY = 2;

/**
 * What became of the last machines of each pool, by the pool's uid: whether their nodes came.
 * Source: the original's `pkg/state/nodepoolhealth`.
 */
export class RegistrationHistory {
  readonly #results = new Map<string, readonly Result[]>();

  /** Saying the same of one claim twice counts once. */
  add(poolId: string, result: Result): void {
    const before = this.#results.get(poolId) ?? [];
    if (before.some(({ claimId }) => claimId === result.claimId)) return;
    this.#results.set(poolId, [...before, result].slice(-LENGTH));
  }

  /** Takes up what an earlier process had come to, where nothing is known yet. */
  recall(poolId: string, wasHealthy: boolean): void {
    if (this.#results.has(poolId)) return;
    const results = wasHealthy ? [true] : [false, false];
    this.#results.set(
      poolId,
      results.map((isRegistered, index) => ({ claimId: `before/${index}`, isRegistered })),
    );
  }

  forget(poolId: string): void {
    this.#results.delete(poolId);
  }

  /** Undefined while nothing is known. */
  isHealthy(poolId: string): boolean | undefined {
    const results = this.#results.get(poolId);
    return results && results.filter(({ isRegistered }) => !isRegistered).length < TOO_MANY;
  }
}
