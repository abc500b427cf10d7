/** `@karpenter/testkit/contract`: the suite that every CloudProvider runs. It needs jest; the main entry point does not. */
export * from './contract-rules.ts';
export * from './describe-cloud-provider.ts';
export type { InPlaceUnderTest, LateFailuresUnderTest, ProviderUnderTest, Purchase } from './provider-under-test.ts';
