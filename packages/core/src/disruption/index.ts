export type * from './blocker.ts';
export type * from './candidate.ts';
export type * from './command.ts';
export type * from './disruption-context.ts';
export * from './eviction-cost.ts';
export * from './is-still-valid.ts';
export * from './node-price.ts';
export type * from './proposal.ts';
export * from './propose-command.ts';
