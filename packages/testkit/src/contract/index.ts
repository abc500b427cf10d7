/** `@karpenter/testkit/contract`: the suite that every CloudProvider runs. It needs jest; the main door does not. */
export * from './describe-cloud-provider.ts';
export type { ProviderUnderTest } from './provider-under-test.ts';
