export type * from './blocker.ts';
export type * from './candidate.ts';
export type * from './command.ts';
export type * from './disruption-context.ts';
export type * from './proposal.ts';
