/**
 * `@karpenter/core/provider-kit`: how a provider plugs in, and what every provider would build again. All of it is
 * optional: the contract is `CloudProvider` alone.
 */
export * from './batched-create.ts';
export * from './block-list.ts';
export * from './circuit-breaker.ts';
export * from './class-hash.ts';
export * from './class-readiness.ts';
export * from './class-status.ts';
export * from './class-termination.ts';
export * from './gathered-calls.ts';
export * from './in-place-updating.ts';
export * from './interruption-feed.ts';
export * from './interruption-in-conditions.ts';
export * from './layered-tags.ts';
export * from './leftover-collection.ts';
export type * from './node-class.ts';
export * from './provider-plugin.ts';
export * from './quota-left.ts';
export * from './refreshing.ts';
export * from './spec-hash.ts';
export * from './stand-in-price.ts';
export * from './start-error.ts';
export * from './tell-failed-launch.ts';
