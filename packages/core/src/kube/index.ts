export type * from './node.ts';
export type * from './object-meta.ts';
export type * from './pod.ts';
export type * from './resources.ts';
export type * from './selector.ts';
export type * from './taint.ts';
export type * from './workload.ts';
