export * from './capacity-buffer-crd.ts';
export type * from './custom-resource-definition.ts';
export * from './node-claim-crd.ts';
export * from './node-overlay-crd.ts';
export * from './node-pool-crd.ts';
export * from './rebalance-plan-crd.ts';
