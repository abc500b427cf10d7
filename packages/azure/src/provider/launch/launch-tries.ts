import { epochMsOf, type NodeClaim } from '@karpenter/core';

/** Knows which claims may have a machine already. */
export interface LaunchTries {
  /**
   * Whether nobody can have asked for this claim's machine before; says so once. A hint that saves a call: what it gets
   * wrong (another leader, a clock that is off) the condition of the PUT puts right.
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
