import { epochMsOf, type NodeClaim } from '@karpenter/core';

/** Knows which claims may have a machine already. */
export interface LaunchTries {
  /**
   * True on the first try of a claim made after this process started. Saves a GET; the conditional PUT catches errors
   * (another leader, a clock that is off).
   */
  isFirst(claim: NodeClaim): boolean;
  forget(claimName: string): void;
}

/** Tries since now. */
export const launchTries = (clock: { now(): number }): LaunchTries => {
  const sinceMs = clock.now();
  const tried = new Set<string>();
  return {
    isFirst: ({ metadata: { name, creationTimestamp } }) => {
      const isNew = (epochMsOf(creationTimestamp) ?? Number.NEGATIVE_INFINITY) >= sinceMs && !tried.has(name);
      tried.add(name);
      return isNew;
    },
    forget: (claimName) => void tried.delete(claimName),
  };
};
