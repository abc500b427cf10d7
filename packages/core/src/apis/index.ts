export * from './crds/index.ts';
export * from './default-label-catalog.ts';
export type * from './label-catalog.ts';
export * from './names.ts';
export * from './node-claim.ts';
export type * from './node-class-ref.ts';
export type * from './node-pool.ts';
export * from './restricted-label.ts';
export * from './taints.ts';
