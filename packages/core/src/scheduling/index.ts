export type * from './plan.ts';
export type * from './policy.ts';
export type * from './rejection.ts';
