/**
 * `@karpenter/core/provider-kit`: how a provider plugs in, and what every provider would build again. All of it is optional: the contract
 * is `CloudProvider` alone.
 */
export type * from './provider-plugin.ts';
export * from './start-error.ts';
