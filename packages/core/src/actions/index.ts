export * from './backoff.ts';
export type { PlannedClaim } from './claim-creation.ts';
export { createExpected, isClaimRefusal, settleMade } from './claim-creation.ts';
export * from './create-node-claims.ts';
export * from './write-through.ts';
export * from './status-conditions.ts';
export * from './evictions.ts';
export { PodNominations } from './pod-nominations.ts';
export type { Nominating } from './pod-nominations.ts';
