/**
 * `@karpenter/core/provider-kit`: how a provider plugs in, and what every provider would build again. All of it is
 * optional: the contract is `CloudProvider` alone.
 */
export * from './batched-create.ts';
export * from './block-list.ts';
export * from './circuit-breaker.ts';
export * from './class-hash.ts';
export * from './class-status.ts';
export * from './class-termination.ts';
export * from './in-place-updating.ts';
export * from './interruption-feed.ts';
export { layeredTags, specHashOf } from './node-class.ts';
export type { NodeClass, TagLayers } from './node-class.ts';
export * from './leftover-collection.ts';
export * from './provider-plugin.ts';
export * from './refreshing.ts';
export * from './tell-failed-launch.ts';
