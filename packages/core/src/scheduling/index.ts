export * from './rejection/explain.ts';
export * from './rejection/explain-tree.ts';
export type * from './rejection/hint.ts';
export type * from './plan.ts';
export * from './planning-static-node.ts';
export * from './policy.ts';
export type * from './rejection/rejection.ts';
export * from './simulate.ts';
export * from './what-if.ts';
