export * from './explain.ts';
export * from './explain-tree.ts';
export type * from './hint.ts';
export type * from './plan.ts';
export * from './planning-static-node.ts';
export * from './policy.ts';
export type * from './rejection.ts';
export * from './simulate.ts';
export * from './what-if.ts';
