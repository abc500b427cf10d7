export * from './explain.ts';
export type * from './plan.ts';
export * from './planning-static-node.ts';
export * from './policy.ts';
export type * from './rejection.ts';
export * from './simulate.ts';
export * from './what-if.ts';
